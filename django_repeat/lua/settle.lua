-- Purpose: record what became of claimed entries, and move them to their next nominal time.
-- KEYS:    1 schedules (zset), then per entry: record (hash) and, if n > 0, run log (list)
-- ARGV:    1 frozen clock or '' (not used), 2 run log length, then per entry:
--          name, token, nominal claimed, next nominal and its lag (or, where nothing comes after, '', digest claimed
--          and beyond), fired, missed, skipped, nominal fired last or '', when or '', result id, n,
--          n run log lines (oldest first)
--          when:   the instant that the run log line has, in the server's time as the ticker counts it
--          lag:    ms by which the spread puts off that the next nominal time falls due
--          beyond: the nominal time after the last, for a definition that changed meanwhile and may have another end
-- Answers: per entry 'ok'; 'settled' (this very call was made before); 'superseded' (an upsert changed the recurrence
--          meanwhile: what came of it is recorded, the new nominal time stays); 'lost' (another ticker took over); 'gone'
-- Atomic:  only the holder of the fence may move the nominal time, and only from the one that it claimed.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local history = tonumber(ARGV[2])

local function settle(key, runs, entry, done)
  local found = kind(key)
  if found == 'none' then return 'gone' end
  if found ~= 'hash' or damage(key) then return 'lost' end
  local seen = redis.call('HMGET', key, 'fence', 'nominal', 'settled', 'superseded', 'digest')
  if seen[1] == entry.token and seen[2] == entry.nominal then
    record(key, runs, entry.token, done, history)
    redis.call('HDEL', key, 'fence', 'lease', 'asof', 'at', 'retry', 'failures', 'error', 'broken')
    local following = entry.next
    if following == '' and seen[5] ~= entry.digest then following = entry.beyond end
    pend(key, following, entry.lag)
    rescore(KEYS[1], key, entry.name)
    return 'ok'
  end
  if seen[3] == entry.token then return 'settled' end
  if seen[4] == entry.token then
    record_superseded(key, runs, entry.token, done, history)
    return 'superseded'
  end
  return 'lost'
end

local out, at, keys = {}, 3, 2
while at <= #ARGV do
  local entry = { name = ARGV[at], token = ARGV[at + 1], nominal = ARGV[at + 2], next = ARGV[at + 3], lag = '0' }
  at = at + 4
  if entry.next ~= '' then
    entry.lag, at = ARGV[at], at + 1
  else
    entry.digest, entry.beyond, at = ARGV[at], ARGV[at + 1], at + 2
  end
  local done
  done, at = take_progress(at)
  local key, runs = KEYS[keys], nil
  keys = keys + 1
  if #done.lines > 0 then runs = KEYS[keys]; keys = keys + 1 end
  out[#out + 1] = settle(key, runs, entry, done)
end
return out
