-- Put before every verb by scripts.py. The clock, number formatting, the one score rule, and what all verbs share.

local FORMAT = '1'      -- the stored form that these scripts read and write (field `v`)
local BROKEN_MS = 60000 -- when to look again at an entry that no definition can be read from

-- Answers the server's time in milliseconds, or the instant that a test put in its place.
local function clock(frozen)
  if frozen ~= '' then return tonumber(frozen) end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Lua's tostring keeps 14 digits; milliseconds need 15.
local function int(number) return string.format('%.0f', number) end

local function kind(key) return redis.call('TYPE', key)['ok'] end

-- A script that fails half-way keeps its writes: types are asked before the first one.
local function registry_error(key)
  local found = kind(key)
  if found == 'zset' or found == 'none' then return nil end
  return redis.error_reply('WRONGTYPE the registry key ' .. key .. ' holds a ' .. found .. ', not a sorted set')
end

local NUMBERS = { 'nominal', 'at', 'asof', 'lease', 'retry', 'failures', 'last_nominal', 'fired_count', 'missed_count',
  'skipped_count', 'superseded_count', 'rev', 'paused', 'paused_until', 'wait', 'poll' }

-- Answers what is wrong with the numbers that verbs calculate with; nil if nothing is. Asked before the first write:
-- HINCRBY and ZADD would end the script half-way, and with it everything else in the same call.
local function damage(key)
  for i, value in ipairs(redis.call('HMGET', key, unpack(NUMBERS))) do
    local plain = value and (value == '0' or #value <= 15 and string.find(value, '^[1-9]%d*$'))
    if value and not plain then return NUMBERS[i] .. ' is no number' end
  end
end

-- Answers the score that the record asks for: claimed -> lease expiry, also when paused; disabled, finished or paused ->
-- +inf; else when the pending nominal time falls due, or one that waits for a run to end is asked about, but not before
-- the next try while backing off, nor before the end of a pause.
local function score(key)
  local record = redis.call('HMGET', key, 'lease', 'enabled', 'nominal', 'retry', 'at', 'paused', 'paused_until', 'wait',
    'poll')
  if record[1] then return record[1] end
  local due = record[3] and (record[5] or record[3])
  if record[8] and record[9] and (not due or tonumber(record[9]) < tonumber(due)) then due = record[9] end
  if record[2] == '0' or not due or (record[6] and not record[7]) then return '+inf' end
  for _, later in ipairs({ record[4] or '0', record[6] and record[7] or '0' }) do
    if tonumber(later) > tonumber(due) then due = later end
  end
  return due
end

local function rescore(zset, key, name)
  redis.call('HINCRBY', key, 'rev', 1)
  redis.call('ZADD', zset, score(key), name)
end

-- Answers an instant that is given in ms, or as '+' and the ms from now.
local function moment(given, now)
  if string.sub(given, 1, 1) ~= '+' then return given end
  return int(now + tonumber(string.sub(given, 2)))
end

-- Writes the pending nominal time, '' for none, and when it falls due where that is later by `lag` ms. An `at` of the one
-- before must be gone.
local function pend(key, nominal, lag)
  if nominal == '' then
    redis.call('HDEL', key, 'nominal')
  elseif lag == '0' then
    redis.call('HSET', key, 'nominal', nominal)
  else
    redis.call('HSET', key, 'nominal', nominal, 'at', int(tonumber(nominal) + tonumber(lag)))
  end
end

-- Takes `count` values of ARGV from `at` on; answers them and where the next begin.
local function take(at, count)
  local values = {}
  for i = 1, count do values[i] = ARGV[at + i - 1] end
  return values, at + count
end

-- Answers the name of a record, whose key is that of the schedules, a colon and the name: it need not be sent beside it.
local function name_of(key) return string.sub(key, #KEYS[1] + 2) end

-- Answers whether the switch of a queue, or a record, says that it is paused, and when that ends by itself.
local function paused(key, now)
  local seen = redis.call('HMGET', key, 'paused', 'paused_until')
  local since, over = tonumber(seen[1] or ''), tonumber(seen[2] or '')
  return since and (not over or over > now), over and seen[2] or false
end
