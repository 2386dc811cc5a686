-- Purpose: say that a ticker lives; what it said expires by itself.
-- KEYS:    1 tickers (zset: ticker -> expiry), 2 ticker (hash)
-- ARGV:    1 frozen clock or '', 2 ticker id, 3 time to live in ms (0: the ticker ends), then field, value, …
-- Answers: the number of tickers that live
-- Atomic:  index, hash and both expiries change together.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local ttl = tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', int(now))
if ttl == 0 then
  redis.call('ZREM', KEYS[1], ARGV[2])
  redis.call('DEL', KEYS[2])
else
  redis.call('HSETNX', KEYS[2], 'started', int(now))
  redis.call('HSET', KEYS[2], 'last_tick', int(now), unpack(ARGV, 4))
  redis.call('PEXPIRE', KEYS[2], ttl)
  redis.call('ZADD', KEYS[1], int(now + ttl), ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return redis.call('ZCARD', KEYS[1])
