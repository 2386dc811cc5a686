-- Purpose: make many definitions current, touching neither cadence nor state unless the recurrence changed.
-- KEYS:    1 schedules (zset), then per entry: record (hash) and, if something ends (m > 0), run log (list)
-- ARGV:    1 frozen clock or '', 2 run log length, then per entry:
--          name, digest, seen, kept, its lag, moved, its lag, m, m times what ends with the old recurrence: count and
--          run log line, then n, and n field / value texts of the definition
--          seen:  the pending nominal time for which `kept` and `moved` were computed, with a space and `asof` if it was
--                 claimed; '' if there was none, '-' if there was no record
--          kept:  what is to be pending if the policies changed and the recurrence did not: '' for none (finished)
--          moved: nominal time if the recurrence changed, or of a fresh entry; '' for none
--          both:  in ms, or '+' and the ms from now
--          lag:   ms by which the spread puts off that it falls due
--          m:     none where nothing is due or claimed; of what is claimed, the first is what the ticker has in hand. A
--                 line is '' where no nominal time counts
-- Answers: per entry 'registered', 'exists', 'updated', 'foreign', 'broken', 'conflict' (a dynamic definition for a
--          declared name), or 'again' (what was seen is no longer so: look and plan once more)
-- Atomic:  digest, recurrence, claim and nominal time must not change between the comparison and the writes.

local DEFINITION = { 'every_ms', 'phase_ms', 'cron', 'tz', 'first_in_ms', 'enabled', 'policies', 'template', 'source',
  'digest', 'v' }
local CADENCE = { 'every_ms', 'phase_ms', 'cron', 'tz', 'enabled' }

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local history = tonumber(ARGV[2])

-- Answers the instant that was computed outside, nil if it has passed meanwhile.
local function ahead(given, floor)
  local instant = moment(given, now)
  if instant ~= given or given == '' or tonumber(given) > floor then return instant end
end

local function fresh(key, entry)
  local first = ahead(entry.moved, now)
  if entry.seen ~= '-' or not first then return 'again' end
  redis.call('HSET', key, unpack(entry.fields))
  pend(key, first, entry.moved_lag)
  rescore(KEYS[1], key, entry.name)
  return 'registered'
end

local function define(key, entry)
  redis.call('HDEL', key, unpack(DEFINITION))
  redis.call('HSET', key, unpack(entry.fields))
end

-- What was due ends here as superseded, and counts as missed; what was disabled was never due. A ticker that has it in
-- hand completes it, and finds its token in `superseded`, with what is then to be taken back: it may also have died.
local function move(key, runs, entry, old)
  local moved = ahead(entry.moved, math.max(now, tonumber(old.last_nominal or '0'), old.due and tonumber(old.nominal) or 0))
  if old.seen ~= entry.seen or not moved or (old.due and #entry.ended == 0) then return 'again' end
  if old.due then
    ended(key, runs, entry.ended, history)
    if not old.held and entry.ended[2] ~= '' then mark(key, 'u') end
  end
  define(key, entry)
  if old.held and old.due then
    redis.call('HSET', key, 'superseded', old.fence, 'superseded_count', entry.ended[1], 'superseded_line', entry.ended[2])
  end
  redis.call('HDEL', key, 'fence', 'lease', 'asof', 'at', 'retry', 'broken')
  pend(key, moved, entry.moved_lag)
  rescore(KEYS[1], key, entry.name)
  return 'updated'
end

-- The cadence stays. A claim in hand goes on by the old policies; else the new ones may ask for another pending time.
local function keep(key, entry, old, other_policies)
  local kept
  if other_policies and not old.fence then
    kept = entry.kept == old.nominal and entry.kept or ahead(entry.kept, now)
    if old.seen ~= entry.seen or not kept then return 'again' end
  end
  define(key, entry)
  if not old.fence then redis.call('HDEL', key, 'retry', 'broken') end
  if kept then
    redis.call('HDEL', key, 'at')
    pend(key, kept, entry.kept_lag)
  end
  rescore(KEYS[1], key, entry.name)
  return 'updated'
end

local function upsert(key, runs, entry)
  local found = kind(key)
  if found == 'none' then return fresh(key, entry) end
  if found ~= 'hash' then return 'broken' end
  local values = redis.call('HMGET', key, 'v', 'digest', 'source', 'policies', 'nominal', 'at', 'last_nominal', 'fence',
    'enabled', 'asof')
  if values[1] ~= FORMAT then return 'foreign' end
  if damage(key) then return 'broken' end
  local old = { nominal = values[5], last_nominal = values[7], fence = values[8] }
  old.held = old.nominal and old.fence and values[10]
  old.seen = (old.nominal or '') .. (old.held and ' ' .. values[10] or '')
  old.due = old.nominal and values[9] ~= '0' and (old.held or tonumber(values[6] or old.nominal) <= now)
  local wanted = {}
  for i = 1, #entry.fields, 2 do wanted[entry.fields[i]] = entry.fields[i + 1] end
  if values[2] == entry.digest and values[3] == wanted.source then
    if redis.call('ZSCORE', KEYS[1], entry.name) then return 'exists' end
    rescore(KEYS[1], key, entry.name)
    return 'updated'
  end
  if wanted.source == 'dynamic' and values[3] ~= 'dynamic' then return 'conflict' end
  for i, value in ipairs(redis.call('HMGET', key, unpack(CADENCE))) do
    if (value or nil) ~= wanted[CADENCE[i]] then return move(key, runs, entry, old) end
  end
  return keep(key, entry, old, (values[4] or nil) ~= wanted.policies)
end

local out, at, keys = {}, 3, 2
while at <= #ARGV do
  local entry = { name = ARGV[at], digest = ARGV[at + 1], seen = ARGV[at + 2], kept = ARGV[at + 3],
    kept_lag = ARGV[at + 4], moved = ARGV[at + 5], moved_lag = ARGV[at + 6] }
  entry.ended, at = take(at + 8, 2 * tonumber(ARGV[at + 7]))
  entry.fields, at = take(at + 1, tonumber(ARGV[at]))
  local key, runs = KEYS[keys], nil
  keys = keys + 1
  if #entry.ended > 0 then runs = KEYS[keys]; keys = keys + 1 end
  out[#out + 1] = upsert(key, runs, entry)
end
return out
