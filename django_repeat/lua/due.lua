-- Purpose: name what a ticker must look at, and when to look next.
-- KEYS:    1 schedules (zset), 2 switch of the queue (hash)
-- ARGV:    1 frozen clock or '', 2 offset, 3 limit
-- Answers: {now, {name, score, …} by score, next score after now or nil}; no names while the queue is paused
-- Atomic:  read only; the names and the next instant belong to the same now.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local halted, over = paused(KEYS[2], now)
if halted then return { int(now), {}, over } end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', int(now), 'WITHSCORES', 'LIMIT', ARGV[2], ARGV[3])
local later = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. int(now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return { int(now), due, later[2] or false }
