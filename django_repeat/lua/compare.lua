-- Purpose: tell which of many definitions differ from what is stored, so that a boot sends only those.
-- KEYS:    1 schedules (zset), 2… records (hashes)
-- ARGV:    1 frozen clock or '', then per record: name, digest, source
-- Answers: {now, {position, nominal, at, last_nominal, fired_count, policies}, …} for records that are absent or
--          differ, or whose member is gone; position counts from 1, and is alone where there is no record; nil for
--          what the record does not hold
-- Atomic:  read only; one script so that ten thousand cost a few round trips.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local out = { int(clock(ARGV[1])) }
for i = 1, #KEYS - 1 do
  local key = KEYS[i + 1]
  local at = 2 + (i - 1) * 3
  if kind(key) ~= 'hash' then
    out[#out + 1] = { i }
  else
    local seen = redis.call('HMGET', key, 'digest', 'source', 'nominal', 'at', 'last_nominal', 'fired_count', 'policies')
    local same = seen[1] == ARGV[at + 1] and seen[2] == ARGV[at + 2]
    if not same or not redis.call('ZSCORE', KEYS[1], ARGV[at]) then
      out[#out + 1] = { i, unpack(seen, 3, 7) }
    end
  end
end
return out
