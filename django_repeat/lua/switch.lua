-- Purpose: write what an operator decided about a whole queue, if its switch is still as it was seen.
-- KEYS:    1 switch of the queue (hash), 2 its log (list)
-- ARGV:    1 frozen clock or '' (not used), 2 log length, 3 token of this call (never used before), 4 revision seen, ''
--          for none, 5 log line, then fields with their new values, '' for none
-- Answers: 'ok', also for a call that was made before; 'again' (somebody else wrote meanwhile)
-- Atomic:  a decision is about a switch, and nobody else may write between the look and the writes.

local found = kind(KEYS[1])
if found ~= 'hash' and found ~= 'none' then
  return redis.error_reply('WRONGTYPE the key ' .. KEYS[1] .. ' holds a ' .. found .. ', not the switch of a queue')
end
local seen = redis.call('HMGET', KEYS[1], 'rev', 'decided')
if seen[2] == ARGV[3] then return 'ok' end
if (seen[1] or '') ~= ARGV[4] then return 'again' end
amend(KEYS[1], (take(6, #ARGV - 5)))
redis.call('HSET', KEYS[1], 'decided', ARGV[3])
redis.call('HINCRBY', KEYS[1], 'rev', 1)
log(KEYS[2], { ARGV[5] }, tonumber(ARGV[2]))
return 'ok'
