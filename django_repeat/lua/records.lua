-- Purpose: read records as they are, whatever a stranger left under their keys.
-- KEYS:    1 schedules (zset), 2… records (hashes)
-- ARGV:    1 frozen clock or '', then per record: name
-- Answers: {now, {score or nil, type, {field, value, …}}, …}
-- Atomic:  read only; score and record of an entry belong together.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local out = { int(clock(ARGV[1])) }
for i = 2, #KEYS do
  local found = kind(KEYS[i])
  out[i] = { redis.call('ZSCORE', KEYS[1], ARGV[i]), found, found == 'hash' and redis.call('HGETALL', KEYS[i]) or {} }
end
return out
