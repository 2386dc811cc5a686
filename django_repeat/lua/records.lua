-- Purpose: read records as they are, whatever a stranger left under their keys.
-- KEYS:    1 schedules (zset), 2 switch of the queue (hash), 3… records (hashes)
-- ARGV:    1 frozen clock or '', then per record: name
-- Answers: {now, {field, value, …} of the switch, {score or nil, type, {field, value, …}}, …}
-- Atomic:  read only; score and record of an entry belong together.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local function pairs_of(key, found) return found == 'hash' and redis.call('HGETALL', key) or {} end

local out = { int(clock(ARGV[1])), pairs_of(KEYS[2], kind(KEYS[2])) }
for i = 3, #KEYS do
  local found = kind(KEYS[i])
  out[i] = { redis.call('ZSCORE', KEYS[1], ARGV[i - 1]), found, pairs_of(KEYS[i], found) }
end
return out
