-- Purpose: name the entries of one page by rank, and count them all.
-- KEYS:    1 schedules (zset)
-- ARGV:    1 frozen clock or '', 2 offset, 3 limit, 4 'asc' or 'desc'
-- Answers: {now, number of schedules, {name, score, …}}
-- Atomic:  read only; the page and the count belong together.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local verb = ARGV[4] == 'desc' and 'ZREVRANGE' or 'ZRANGE'
local first, limit = tonumber(ARGV[2]), tonumber(ARGV[3])
local names = limit > 0 and redis.call(verb, KEYS[1], first, first + limit - 1, 'WITHSCORES') or {}
return { int(clock(ARGV[1])), redis.call('ZCARD', KEYS[1]), names }
