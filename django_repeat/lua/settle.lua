-- Purpose: record what became of claimed entries, and move them to their next nominal time.
-- KEYS:    1 schedules (zset), then per entry: record (hash) and, if the run log is on, run log (list)
-- ARGV:    1 frozen clock or '', 2 run log length, then per entry:
--          name, token, nominal claimed, next nominal or '' (nothing comes after), fired, missed,
--          nominal fired or '', result id, n, and n run log lines (oldest first)
-- Answers: per entry 'ok'; 'settled' (this very call was made before); 'superseded' (an upsert changed the recurrence
--          meanwhile: what fired is recorded, the new nominal time stays); 'lost' (another ticker took over); 'gone'
-- Atomic:  only the holder of the fence may move the nominal time, and only from the one that it claimed.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local history = tonumber(ARGV[2])

local function record_run(key, runs, entry)
  if entry.missed ~= '0' then redis.call('HINCRBY', key, 'missed_count', entry.missed) end
  if entry.fired ~= '0' then
    redis.call('HINCRBY', key, 'fired_count', entry.fired)
    -- A superseded claim may be settled after a later one: the last nominal time, which anchors a grid, never goes back.
    if tonumber(redis.call('HGET', key, 'last_nominal') or 0) <= tonumber(entry.fired_nominal) then
      redis.call('HSET', key, 'last_nominal', entry.fired_nominal, 'last_fired', int(now), 'last_outcome', 'fired',
        'last_result', entry.result)
    end
  elseif entry.missed ~= '0' then
    redis.call('HSET', key, 'last_outcome', 'missed')
  end
  redis.call('HSET', key, 'settled', entry.token)
  log(runs, entry.lines, history)
end

local function settle(key, runs, entry)
  local found = kind(key)
  if found == 'none' then return 'gone' end
  if found ~= 'hash' or damage(key) then return 'lost' end
  local record = redis.call('HMGET', key, 'fence', 'nominal', 'settled', 'superseded')
  if record[1] == entry.token and record[2] == entry.nominal then
    record_run(key, runs, entry)
    redis.call('HDEL', key, 'fence', 'lease', 'asof', 'retry', 'failures', 'error', 'broken')
    if entry.next == '' then
      redis.call('HDEL', key, 'nominal')
    else
      redis.call('HSET', key, 'nominal', entry.next)
    end
    rescore(KEYS[1], key, entry.name)
    return 'ok'
  end
  if record[3] == entry.token then return 'settled' end
  if record[4] == entry.token then
    record_run(key, runs, entry)
    redis.call('HDEL', key, 'superseded')
    redis.call('HINCRBY', key, 'rev', 1)
    return 'superseded'
  end
  return 'lost'
end

local out, at, keys = {}, 3, 2
local step = history > 0 and 2 or 1
while at <= #ARGV do
  local entry = { name = ARGV[at], token = ARGV[at + 1], nominal = ARGV[at + 2], next = ARGV[at + 3],
    fired = ARGV[at + 4], missed = ARGV[at + 5], fired_nominal = ARGV[at + 6], result = ARGV[at + 7] }
  entry.lines, at = take(at + 9, tonumber(ARGV[at + 8]))
  out[#out + 1] = settle(KEYS[keys], step == 2 and KEYS[keys + 1] or nil, entry)
  keys = keys + step
end
return out
