-- Put before settle and release by scripts.py, after common.lua and runlog.lua: what came of a claim, and how it is written.

-- Takes what came of a claim from ARGV: 'fired missed skipped nominal at letters lines fields ranges', result id, run log
-- lines (oldest first), and fields of the record with their new values, '' for none. `nominal` and `at` are of what fired
-- last, or ''; letters and ranges of missed times come newest first. Answers it, and where the next begin.
local function take_progress(at)
  local done, lines, fields = {}, nil, nil
  done.fired, done.missed, done.skipped, done.nominal, done.at, done.letters, lines, fields, done.ranges =
    string.match(ARGV[at], '^(%d+) (%d+) (%d+) (%d*) (%d*) (%a*) (%d+) (%d+) (.*)$')
  done.result = ARGV[at + 1]
  done.lines, at = take(at + 2, tonumber(lines))
  done.fields, at = take(at, 2 * tonumber(fields))
  return done, at
end

-- Forgets what an operator took out of nominal times that are dealt with: those before `following`, '' for all. A pause
-- that lasts stays, also where the next nominal time lies after it: a deploy may bring others.
local function close(key, holes, until_, following, now)
  local limit, kept = tonumber(following), {}
  for hole in string.gmatch(limit and holes or '', '%S+') do
    local last = string.match(hole, '^p%d+%-(%d+)$')
    local instant = string.match(hole, '^s(%d+)$')
    if (last and tonumber(last) > limit) or (instant and tonumber(instant) >= limit) then kept[#kept + 1] = hole end
  end
  if #kept > 0 then redis.call('HSET', key, 'holes', table.concat(kept, ' ')) else redis.call('HDEL', key, 'holes') end
  if until_ and limit and tonumber(until_) <= math.min(limit, now) then
    redis.call('HDEL', key, 'paused', 'paused_until', 'paused_by', 'paused_reason')
  end
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
  mark(key, done.letters)
  miss(key, done.ranges)
  amend(key, done.fields)
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
  rescore(KEYS[1], key, name_of(key))
end
