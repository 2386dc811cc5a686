-- Purpose: give claimed entries back, undone or half done: to the next ticker at once, or after a back-off with the
--          error kept.
-- KEYS:    1 schedules (zset), then per entry: record (hash) and, if there are run log lines, run log (list)
-- ARGV:    1 frozen clock or '', 2 run log length, then per entry:
--          'token claimed rest backoff forget', error, broken reason or '', and the progress (see progress.lua)
--          rest:    the nominal time to go on with, where something came of the claim; '' for the one claimed
--          backoff: ms until the next try; '' for at once
--          forget:  1 if nothing can have been enqueued for what is given back, so that the next claim plans afresh
-- Answers: per entry 'ok', 'settled' (this very call was made before), 'superseded' (an upsert changed the recurrence
--          meanwhile: what fired is recorded, the new nominal time stays), 'lost' or 'gone'
-- Atomic:  only the holder of the fence may give back, and a nominal time that something may have been enqueued for
--          keeps its `asof`, so that the retry is of that one.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local history = tonumber(ARGV[2])

local function release(key, runs, head, error, broken, done)
  local token, nominal, rest, backoff, forget = string.match(head, '^(%S+) (%S+) (%d*) (%d*) ([01])$')
  local found = kind(key)
  if found == 'none' then return 'gone' end
  if found ~= 'hash' or damage(key) then return 'lost' end
  local seen = redis.call('HMGET', key, 'fence', 'nominal', 'settled', 'superseded')
  local ours = seen[1] == token and (seen[2] or '-') == nominal
  if not ours then
    if seen[3] == token then return 'settled' end
    if seen[4] ~= token or rest == '' then return 'lost' end
  end
  record(key, runs, token, done, history)
  if not ours then
    redis.call('HDEL', key, 'superseded')
    rescore(KEYS[1], key, name_of(key))
    return 'superseded'
  end
  redis.call('HDEL', key, 'fence', 'lease', 'broken')
  if forget == '1' then redis.call('HDEL', key, 'asof') end
  if rest ~= '' then
    redis.call('HDEL', key, 'at', 'retry', 'failures', 'error')
    pend(key, rest, '0')
  end
  if backoff ~= '' then
    redis.call('HINCRBY', key, 'failures', 1)
    redis.call('HSET', key, 'retry', int(now + tonumber(backoff)), 'error', error, 'last_outcome', 'failed')
    if broken ~= '' then redis.call('HSET', key, 'broken', broken) end
  end
  rescore(KEYS[1], key, name_of(key))
  return 'ok'
end

local out, at, keys = {}, 3, 2
while at <= #ARGV do
  local head, error, broken, key, runs, done = ARGV[at], ARGV[at + 1], ARGV[at + 2], KEYS[keys], nil, nil
  done, at = take_progress(at + 3)
  keys = keys + 1
  if #done.lines > 0 then runs = KEYS[keys]; keys = keys + 1 end
  out[#out + 1] = release(key, runs, head, error, broken, done)
end
return out
