-- Purpose: put a schedule in the registry unless the name is taken (the origin's contract: one member and one
--          record per name, however often anything boots).
-- KEYS:    1 schedules (zset), 2 record (hash)
-- ARGV:    1 frozen clock or '', 2 name, 3 first nominal time in ms, or '+' and the ms from now, or '' for none
--          (finished), 4 ms by which the spread puts off that it falls due, then field, value, … of the definition
-- Answers: 'registered'; 'exists' (nothing written, even if the definition differs; but a member that is gone comes back);
--          'again' (the first nominal time is no longer ahead: ask the recurrence once more)
-- Atomic:  between "is it there" and the two writes nobody else may write.

local taken = redis.call('EXISTS', KEYS[2]) == 1
local wrong = registry_error(KEYS[1])
if wrong then return wrong end

if taken then
  -- Where a stranger's record or a damaged one belongs is not known.
  local ours = kind(KEYS[2]) == 'hash' and redis.call('HGET', KEYS[2], 'v') == FORMAT and not damage(KEYS[2])
  if ours and not redis.call('ZSCORE', KEYS[1], ARGV[2]) then rescore(KEYS[1], KEYS[2], ARGV[2]) end
  return 'exists'
end

local now = clock(ARGV[1])
local first = moment(ARGV[3], now)
if first == ARGV[3] and first ~= '' and tonumber(first) <= now then return 'again' end

redis.call('HSET', KEYS[2], unpack(ARGV, 5))
pend(KEYS[2], first, ARGV[4])
rescore(KEYS[1], KEYS[2], ARGV[2])
return 'registered'
