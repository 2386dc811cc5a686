-- Purpose: tell which of many definitions differ from what is stored, so that a boot sends only those.
-- KEYS:    1 schedules (zset), 2… records (hashes)
-- ARGV:    1 frozen clock or '', then per record: digest and source with a space between
-- Answers: {now, {position, nominal, at, last_nominal, fired_count, policies}, …} for records that differ, or whose
--          member is gone, and {position} for those that are absent; it counts from 1; nil for what the record does not
--          hold
-- Atomic:  read only; one script so that ten thousand cost a few round trips.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local out = { int(clock(ARGV[1])) }
if #KEYS == 1 then return out end

-- A record's key is that of the schedules, a colon and the name: the name need not be sent beside it.
local names = {}
for i = 2, #KEYS do names[i - 1] = string.sub(KEYS[i], #KEYS[1] + 2) end
local scores = redis.call('ZMSCORE', KEYS[1], unpack(names))

for i = 1, #names do
  -- Asking the type first would be a call more for each of thousands; a hash is what nearly all are.
  local seen = redis.pcall('HMGET', KEYS[i + 1], 'digest', 'source', 'nominal', 'at', 'last_nominal', 'fired_count',
    'policies')
  if seen.err or not (seen[1] or seen[2] or seen[3] or seen[5]) then
    out[#out + 1] = { i }
  elseif not scores[i] or not seen[1] or not seen[2] or seen[1] .. ' ' .. seen[2] ~= ARGV[i + 1] then
    out[#out + 1] = { i, unpack(seen, 3, 7) }
  end
end
return out
