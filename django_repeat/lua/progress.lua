-- Put before settle and release by scripts.py, after common.lua: what came of a claim, and how it is written.

-- Takes what came of a claim from ARGV: fired, missed, skipped, nominal time fired last or '', when that was handed over
-- or '', its result id, n, and n run log lines (oldest first). Answers it, and where the next begin.
local function take_progress(at)
  local done = { fired = ARGV[at], missed = ARGV[at + 1], skipped = ARGV[at + 2], nominal = ARGV[at + 3],
    at = ARGV[at + 4], result = ARGV[at + 5] }
  done.lines, at = take(at + 7, tonumber(ARGV[at + 6]))
  return done, at
end

-- Writes what came of a claim. One that was superseded may write after a later one: the last nominal time, which anchors
-- a grid, never goes back.
local function record(key, runs, token, done, history)
  if done.missed ~= '0' then redis.call('HINCRBY', key, 'missed_count', done.missed) end
  if done.skipped ~= '0' then redis.call('HINCRBY', key, 'skipped_count', done.skipped) end
  if done.fired ~= '0' then
    redis.call('HINCRBY', key, 'fired_count', done.fired)
    if tonumber(redis.call('HGET', key, 'last_nominal') or 0) <= tonumber(done.nominal) then
      redis.call('HSET', key, 'last_nominal', done.nominal, 'last_fired', done.at, 'last_outcome', 'fired',
        'last_result', done.result)
    end
  elseif done.skipped ~= '0' then
    redis.call('HSET', key, 'last_outcome', 'skipped')
  elseif done.missed ~= '0' then
    redis.call('HSET', key, 'last_outcome', 'missed')
  end
  redis.call('HSET', key, 'settled', token)
  log(runs, done.lines, history)
end

local function strike(key, line)
  if key and line and kind(key) == 'list' then redis.call('LREM', key, 1, line) end
end

-- Writes what came of a claim whose recurrence changed meanwhile. It stands in the place of what the upsert wrote for it,
-- which stays where nothing came of the claim: every nominal time has one line, and counts once.
local function record_superseded(key, runs, token, done, history)
  if done.fired + done.missed + done.skipped > 0 then
    local stood = redis.call('HMGET', key, 'superseded_count', 'superseded_line', 'missed_count')
    if stood[1] then
      redis.call('HSET', key, 'missed_count', int(math.max(0, tonumber(stood[3] or 0) - tonumber(stood[1]))))
    end
    strike(runs, stood[2])
  end
  record(key, runs, token, done, history)
  redis.call('HDEL', key, 'superseded', 'superseded_count', 'superseded_line')
  redis.call('HINCRBY', key, 'rev', 1)
end
