-- Purpose: name what a ticker must look at, and when to look next.
-- KEYS:    1 schedules (zset)
-- ARGV:    1 frozen clock or '', 2 offset, 3 limit
-- Answers: {now, {name, score, …} by score, next score after now or nil}
-- Atomic:  read only; the names and the next instant belong to the same now.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', int(now), 'WITHSCORES', 'LIMIT', ARGV[2], ARGV[3])
local later = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. int(now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return { int(now), due, later[2] or false }
