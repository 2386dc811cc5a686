-- Purpose: record what became of claimed entries, and move them to their next nominal time.
-- KEYS:    1 schedules (zset), then per entry: record (hash) and, if there are run log lines, run log (list)
-- ARGV:    1 frozen clock or '', 2 run log length, then per entry:
--          'token claimed following lag digest beyond', and the progress (see progress.lua)
--          claimed:   the nominal time that was pending, '-' for none (what waited had its turn)
--          following: the next nominal time, or '' where nothing comes after
--          lag:       ms by which the spread puts off that it falls due
--          beyond:    the nominal time after the last of the definition with that digest: one that was changed
--                     meanwhile may have another end
-- Answers: per entry 'ok'; 'settled' (this very call was made before); 'superseded' (an upsert changed the recurrence
--          meanwhile: what came of it is recorded, the new nominal time stays); 'lost' (another ticker took over); 'gone'
-- Atomic:  only the holder of the fence may move the nominal time, and only from the one that it claimed.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local history = tonumber(ARGV[2])

local function settle(key, runs, head, done)
  local token, nominal, following, lag, digest, beyond = string.match(head, '^(%S+) (%S+) (%d*) (%d+) (%S*) (%d*)$')
  local found = kind(key)
  if found == 'none' then return 'gone' end
  if found ~= 'hash' or damage(key) then return 'lost' end
  local seen = redis.call('HMGET', key, 'fence', 'nominal', 'settled', 'superseded', 'digest', 'holes', 'paused_until')
  if seen[1] == token and (seen[2] or '-') == nominal then
    record(key, runs, token, done, history)
    redis.call('HDEL', key, 'fence', 'lease', 'asof', 'at', 'retry', 'failures', 'error', 'broken')
    if following == '' and seen[5] ~= digest then following = beyond end
    pend(key, following, lag)
    if seen[6] or seen[7] then close(key, seen[6], seen[7], following, now) end
    rescore(KEYS[1], key, name_of(key))
    return 'ok'
  end
  if seen[3] == token then return 'settled' end
  if seen[4] == token then
    record_superseded(key, runs, token, done, history)
    return 'superseded'
  end
  return 'lost'
end

local out, at, keys = {}, 3, 2
while at <= #ARGV do
  local head, key, runs, done = ARGV[at], KEYS[keys], nil, nil
  done, at = take_progress(at + 1)
  keys = keys + 1
  if #done.lines > 0 then runs = KEYS[keys]; keys = keys + 1 end
  out[#out + 1] = settle(key, runs, head, done)
end
return out
