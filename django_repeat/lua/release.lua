-- Purpose: give claimed entries back undone: to the next ticker at once, or after a back-off with the error kept.
-- KEYS:    1 schedules (zset), then per entry: record (hash) and, if a line is given, run log (list)
-- ARGV:    1 frozen clock or '', 2 run log length, then per entry:
--          name, token, nominal claimed, back-off in ms or '', error, broken reason or '', forget, line
--          forget: '1' if nothing can have been enqueued since the first claim, so that the next one plans afresh
--          line:   run log line, '' for none, and then no run log key is given
-- Answers: per entry 'ok', 'settled' (this very call was made before), 'lost' or 'gone'
-- Atomic:  only the holder of the fence may give back, and a nominal time that something may have been enqueued for
--          keeps its `asof`, so that the retry is of that one.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local history = tonumber(ARGV[2])

local function release(key, runs, entry)
  local found = kind(key)
  if found == 'none' then return 'gone' end
  if found ~= 'hash' or damage(key) then return 'lost' end
  local record = redis.call('HMGET', key, 'fence', 'nominal', 'settled')
  if record[1] ~= entry.token or record[2] ~= entry.nominal then
    return record[3] == entry.token and 'settled' or 'lost'
  end
  redis.call('HDEL', key, 'fence', 'lease', 'broken')
  redis.call('HSET', key, 'settled', entry.token)
  if entry.forget == '1' then redis.call('HDEL', key, 'asof') end
  if entry.backoff ~= '' then
    redis.call('HINCRBY', key, 'failures', 1)
    redis.call('HSET', key, 'retry', int(now + tonumber(entry.backoff)), 'error', entry.error, 'last_outcome', 'failed')
    if entry.broken ~= '' then redis.call('HSET', key, 'broken', entry.broken) end
    log(runs, { entry.line }, history)
  end
  rescore(KEYS[1], key, entry.name)
  return 'ok'
end

local out, at, keys = {}, 3, 2
while at <= #ARGV do
  local entry = { name = ARGV[at], token = ARGV[at + 1], nominal = ARGV[at + 2], backoff = ARGV[at + 3],
    error = ARGV[at + 4], broken = ARGV[at + 5], forget = ARGV[at + 6], line = ARGV[at + 7] }
  at = at + 8
  local key, runs = KEYS[keys], nil
  keys = keys + 1
  if entry.line ~= '' then runs = KEYS[keys]; keys = keys + 1 end
  out[#out + 1] = release(key, runs, entry)
end
return out
