-- Purpose: write what an operator decided about one entry, if its record is still as it was seen.
-- KEYS:    1 schedules (zset), 2 record (hash) and, if there are run log lines, 3 run log (list)
-- ARGV:    1 frozen clock or '', 2 run log length, 3 token of this call (never used before), 4 revision seen, or '' for
--          any, 5 nominal time to be pending from now on ('' for none, '-' for the one that is), 6 ms by which the spread
--          puts off that it falls due, 7 nominal times skipped, 8 letters of outcomes, newest first, 9 number of run log
--          lines, then these, and fields of the record with their new values, '' for none
-- Answers: 'ok', also for a call that was made before; 'again' (another verb wrote meanwhile: look and decide once more);
--          'absent', 'foreign' or 'broken'
-- Atomic:  a decision is about a record, and nobody else may write between the look and the writes.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local key = KEYS[2]
local found = kind(key)
if found == 'none' then return 'absent' end
if found ~= 'hash' then return 'broken' end
local seen = redis.call('HMGET', key, 'v', 'rev', 'decided')
if seen[1] ~= FORMAT then return 'foreign' end
if damage(key) then return 'broken' end
if seen[3] == ARGV[3] then return 'ok' end
if ARGV[4] ~= '' and seen[2] ~= ARGV[4] then return 'again' end

local lines, at = take(10, tonumber(ARGV[9]))
amend(key, (take(at, #ARGV - at + 1)))
redis.call('HSET', key, 'decided', ARGV[3])
if ARGV[7] ~= '0' then redis.call('HINCRBY', key, 'skipped_count', ARGV[7]) end
if ARGV[5] ~= '-' then
  redis.call('HDEL', key, 'at', 'retry', 'failures', 'error', 'broken')
  pend(key, ARGV[5], ARGV[6])
end
mark(key, ARGV[8])
log(KEYS[3], lines, tonumber(ARGV[2]))
rescore(KEYS[1], key, name_of(key))
return 'ok'
