-- Put before every verb by scripts.py. The clock, number formatting, the one score rule, and what verbs share.

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
  'skipped_count', 'superseded_count', 'rev' }

-- Answers what is wrong with the numbers that verbs calculate with; nil if nothing is. Asked before the first write:
-- HINCRBY and ZADD would end the script half-way, and with it everything else in the same call.
local function damage(key)
  for i, value in ipairs(redis.call('HMGET', key, unpack(NUMBERS))) do
    local plain = value and (value == '0' or #value <= 15 and string.find(value, '^[1-9]%d*$'))
    if value and not plain then return NUMBERS[i] .. ' is no number' end
  end
end

-- Answers the score that the record asks for: claimed -> lease expiry; disabled or finished -> +inf;
-- backing off -> next try; else when the pending nominal time falls due.
local function score(key)
  local record = redis.call('HMGET', key, 'lease', 'enabled', 'nominal', 'retry', 'at')
  local lease, enabled, nominal, retry = record[1], record[2], record[3], record[4]
  if lease then return lease end
  if enabled == '0' or not nominal then return '+inf' end
  local due = record[5] or nominal
  if retry and tonumber(retry) > tonumber(due) then return retry end
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

-- Writes run log lines, newest first, and keeps the newest `history`. Where something else lies under the key the log is
-- left out: what fired must still be settled, or it fires again and again.
local function log(key, lines, history)
  if #lines == 0 or history == 0 or not key then return end
  local found = kind(key)
  if found ~= 'list' and found ~= 'none' then return end
  for _, line in ipairs(lines) do redis.call('LPUSH', key, line) end
  redis.call('LTRIM', key, 0, history - 1)
end

-- Writes nominal times that end with their recurrence: pairs of their count, by which more are missed, and a run log
-- line, '' where none counts.
local function ended(key, runs, pairs_of, history)
  for i = 1, #pairs_of, 2 do
    if pairs_of[i + 1] ~= '' then
      redis.call('HINCRBY', key, 'missed_count', pairs_of[i])
      log(runs, { pairs_of[i + 1] }, history)
    end
  end
end
