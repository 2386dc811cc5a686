-- Purpose: make many definitions current, touching neither cadence nor state unless the recurrence changed.
-- KEYS:    1 schedules (zset), then per entry: record (hash) and, if announced in ARGV, run log (list)
-- ARGV:    1 frozen clock or '', 2 run log length, then per entry:
--          name, digest, first, seen, moved, line, n, and n field / value texts of the definition
--          first: nominal time of a fresh entry, or '+' and the ms from now, or '' for none (finished)
--          seen:  the pending nominal time for which `moved` was computed, '' if none was seen
--          moved: nominal time if the recurrence changed, '' for none
--          line:  run log line for a superseded occurrence; '' if none is expected, and then no run log key is given
-- Answers: per entry 'registered', 'exists', 'updated', 'foreign', 'broken', 'conflict' (a dynamic definition for a
--          declared name), or 'again' (what was seen is no longer so: look and plan once more)
-- Atomic:  digest, recurrence, claim and nominal time must not change between the comparison and the writes.

local DEFINITION = { 'every_ms', 'phase_ms', 'cron', 'tz', 'first_in_ms', 'enabled', 'template', 'source', 'digest', 'v' }
local CADENCE = { 'every_ms', 'phase_ms', 'cron', 'tz', 'enabled' }

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local history = tonumber(ARGV[2])

local function fresh(key, entry)
  if string.sub(entry.first, 1, 1) == '+' then
    redis.call('HSET', key, 'nominal', int(now + tonumber(string.sub(entry.first, 2))))
  elseif entry.first ~= '' then
    if tonumber(entry.first) <= now then return 'again' end
    redis.call('HSET', key, 'nominal', entry.first)
  end
  redis.call('HSET', key, unpack(entry.fields))
  rescore(KEYS[1], key, entry.name)
  return 'registered'
end

local function define(key, entry)
  redis.call('HDEL', key, unpack(DEFINITION))
  redis.call('HSET', key, unpack(entry.fields))
end

-- The old occurrence, if it was due, ends here as superseded; what was disabled was never due. A ticker that has it in
-- hand completes it, and finds its token in `superseded`.
local function move(key, runs, entry, record)
  local nominal, last, fence = record.nominal, tonumber(record.last_nominal or '0'), record.fence
  local due = nominal and tonumber(nominal) <= now
  if (nominal or '') ~= entry.seen or (due and entry.line == '') then return 'again' end
  if entry.moved ~= '' and tonumber(entry.moved) <= math.max(now, last, due and tonumber(nominal) or 0) then return 'again' end
  if due and record.enabled then log(runs, { entry.line }, history) end
  define(key, entry)
  if fence then redis.call('HSET', key, 'superseded', fence) end
  redis.call('HDEL', key, 'fence', 'lease', 'asof', 'retry', 'broken', 'nominal')
  if entry.moved ~= '' then redis.call('HSET', key, 'nominal', entry.moved) end
  rescore(KEYS[1], key, entry.name)
  return 'updated'
end

local function upsert(key, runs, entry)
  local found = kind(key)
  if found == 'none' then return fresh(key, entry) end
  if found ~= 'hash' then return 'broken' end
  local record = {}
  local values = redis.call('HMGET', key, 'v', 'digest', 'source', 'nominal', 'last_nominal', 'fence', 'enabled')
  record.nominal, record.last_nominal, record.fence = values[4], values[5], values[6]
  record.enabled = values[7] ~= '0'
  if values[1] ~= FORMAT then return 'foreign' end
  if damage(key) then return 'broken' end
  local wanted = {}
  for i = 1, #entry.fields, 2 do wanted[entry.fields[i]] = entry.fields[i + 1] end
  if values[2] == entry.digest and values[3] == wanted.source then
    if redis.call('ZSCORE', KEYS[1], entry.name) then return 'exists' end
    rescore(KEYS[1], key, entry.name)
    return 'updated'
  end
  if wanted.source == 'dynamic' and values[3] ~= 'dynamic' then return 'conflict' end
  for i, value in ipairs(redis.call('HMGET', key, unpack(CADENCE))) do
    if (value or nil) ~= wanted[CADENCE[i]] then return move(key, runs, entry, record) end
  end
  define(key, entry)
  if not record.fence then redis.call('HDEL', key, 'retry', 'broken') end
  rescore(KEYS[1], key, entry.name)
  return 'updated'
end

local out, at, keys = {}, 3, 2
while at <= #ARGV do
  local entry = { name = ARGV[at], digest = ARGV[at + 1], first = ARGV[at + 2], seen = ARGV[at + 3],
    moved = ARGV[at + 4], line = ARGV[at + 5] }
  entry.fields, at = take(at + 7, tonumber(ARGV[at + 6]))
  local key, runs = KEYS[keys], nil
  keys = keys + 1
  if entry.line ~= '' then runs = KEYS[keys]; keys = keys + 1 end
  out[#out + 1] = upsert(key, runs, entry)
end
return out
