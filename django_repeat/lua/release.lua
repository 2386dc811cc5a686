-- Purpose: give claimed entries back, undone or half done: to the next ticker at once, or after a back-off with the
--          error kept.
-- KEYS:    1 schedules (zset), then per entry: record (hash) and, if n > 0, run log (list)
-- ARGV:    1 frozen clock or '', 2 run log length, then per entry:
--          name, token, nominal claimed, rest and, if it is not '', count and run log line of what is left from there on,
--          back-off in ms or '', error, broken reason or '', forget,
--          fired, missed, skipped, nominal fired last or '', when or '', result id, n, and n run log lines (oldest first)
--          rest:   the nominal time to go on with, where something came of the claim; '' for the one claimed
--          left:   is written where an upsert changed the recurrence meanwhile, as nobody goes on with it then
--          forget: '1' if nothing can have been enqueued for what is given back, so that the next claim plans afresh
-- Answers: per entry 'ok', 'settled' (this very call was made before), 'superseded' (an upsert changed the recurrence
--          meanwhile: what came of it is recorded, the new nominal time stays), 'lost' or 'gone'
-- Atomic:  only the holder of the fence may give back, and a nominal time that something may have been enqueued for
--          keeps its `asof`, so that the retry is of that one.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local history = tonumber(ARGV[2])

local function release(key, runs, entry, done)
  local found = kind(key)
  if found == 'none' then return 'gone' end
  if found ~= 'hash' or damage(key) then return 'lost' end
  local seen = redis.call('HMGET', key, 'fence', 'nominal', 'settled', 'superseded')
  local ours = seen[1] == entry.token and seen[2] == entry.nominal
  if not ours then
    if seen[3] == entry.token then return 'settled' end
    if seen[4] ~= entry.token or entry.rest == '' then return 'lost' end
  end
  if not ours then
    record_superseded(key, runs, entry.token, done, history)
    ended(key, runs, entry.left, history)
    return 'superseded'
  end
  record(key, runs, entry.token, done, history)
  redis.call('HDEL', key, 'fence', 'lease', 'broken')
  if entry.forget == '1' then redis.call('HDEL', key, 'asof') end
  if entry.rest ~= '' then
    redis.call('HDEL', key, 'at', 'retry', 'failures', 'error')
    pend(key, entry.rest, '0')
  end
  if entry.backoff ~= '' then
    redis.call('HINCRBY', key, 'failures', 1)
    redis.call('HSET', key, 'retry', int(now + tonumber(entry.backoff)), 'error', entry.error, 'last_outcome', 'failed')
    if entry.broken ~= '' then redis.call('HSET', key, 'broken', entry.broken) end
  end
  rescore(KEYS[1], key, entry.name)
  return 'ok'
end

local out, at, keys = {}, 3, 2
while at <= #ARGV do
  local entry = { name = ARGV[at], token = ARGV[at + 1], nominal = ARGV[at + 2], rest = ARGV[at + 3], left = {} }
  at = at + 4
  if entry.rest ~= '' then entry.left, at = take(at, 2) end
  entry.backoff, entry.error, entry.broken, entry.forget = unpack(ARGV, at, at + 3)
  local done
  done, at = take_progress(at + 4)
  local key, runs = KEYS[keys], nil
  keys = keys + 1
  if #done.lines > 0 then runs = KEYS[keys]; keys = keys + 1 end
  out[#out + 1] = release(key, runs, entry, done)
end
return out
