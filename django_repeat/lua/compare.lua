-- Purpose: tell which of many definitions differ from what is stored, so that a boot sends only those.
-- KEYS:    1 schedules (zset), 2… records (hashes)
-- ARGV:    1 frozen clock or '', then per record: digest and source with a space between
-- Answers: {now, {position, nominal, at, last_nominal, fired_count, policies}, …} for records that differ, or whose
--          member is gone, with {…, asof, enabled, every_ms, phase_ms, cron, tz, holes, paused, paused_until} where one
--          is due or claimed, and {position} for those that are absent; it counts from 1; nil for what the record does
--          not hold, and for the asof of what is not claimed
-- Atomic:  read only; one script so that ten thousand cost a few round trips.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local out = { int(now) }
if #KEYS == 1 then return out end

-- A record's key is that of the schedules, a colon and the name: the name need not be sent beside it.
local names = {}
for i = 2, #KEYS do names[i - 1] = string.sub(KEYS[i], #KEYS[1] + 2) end
local scores = redis.call('ZMSCORE', KEYS[1], unpack(names))

for i = 1, #names do
  -- Asking the type first would be a call more for each of thousands; a hash is what nearly all are.
  local key, seen = KEYS[i + 1], redis.pcall('HMGET', KEYS[i + 1], 'digest', 'source')
  if seen.err then
    out[#out + 1] = { i }
  elseif not scores[i] or not seen[1] or not seen[2] or seen[1] .. ' ' .. seen[2] ~= ARGV[i + 1] then
    -- The rest is for the few that differ.
    local rest = redis.call('HMGET', key, 'nominal', 'at', 'last_nominal', 'fired_count', 'policies', 'asof',
      'enabled', 'every_ms', 'phase_ms', 'cron', 'tz', 'holes', 'paused', 'paused_until', 'fence')
    local absent = not (seen[1] or seen[2] or rest[1] or rest[3])
    local due = tonumber(rest[1] and (rest[2] or rest[1]) or '')
    rest[6] = rest[15] and rest[6]
    out[#out + 1] = absent and { i } or { i, unpack(rest, 1, (rest[6] or due and due <= now) and 14 or 5) }
  end
end
return out
