-- Put after common.lua and before every verb by scripts.py. What becomes of occurrences: run log, counters, outcomes.

local OUTCOMES = 20 -- letters that a record keeps of the latest outcomes
local RANGES = 20   -- ranges of missed nominal times that a record keeps

-- What every line of a skip begins with: see codec/runlog.py, which writes it.
local SKIP = '^({"outcome":"skipped","reason":"[a-z_]+"),"first":(%d+),"count":(%d+)(.*)$'

-- Answers the line that says what two skips in a row say, if these are equal but for their time; else nil.
local function folded(older, newer)
  local kind_of, first, count = string.match(older, SKIP)
  local same, _, more, rest = string.match(newer, SKIP)
  if not kind_of or kind_of ~= same then return nil end
  return string.format('%s,"first":%s,"count":%s%s', kind_of, first, int(tonumber(count) + tonumber(more)), rest)
end

-- Writes run log lines, newest first, and keeps the newest `history`. Equal skips in a row are one line. Where something
-- else lies under the key the log is left out: what fired must still be settled, or it fires again and again.
local function log(key, lines, history)
  if #lines == 0 or history == 0 or not key then return end
  local found = kind(key)
  if found ~= 'list' and found ~= 'none' then return end
  for _, line in ipairs(lines) do
    local head = string.match(line, SKIP) and redis.call('LINDEX', key, 0)
    local joined = head and folded(head, line)
    if joined then redis.call('LSET', key, 0, joined) else redis.call('LPUSH', key, line) end
  end
  redis.call('LTRIM', key, 0, history - 1)
end

-- Writes the letters of what happened, newest first, before those that the record holds.
local function mark(key, letters)
  if letters == '' then return end
  redis.call('HSET', key, 'outcomes', string.sub(letters .. (redis.call('HGET', key, 'outcomes') or ''), 1, OUTCOMES))
end

-- Writes ranges of missed nominal times ('first-last-count', newest first) before those that the record holds.
local function miss(key, ranges)
  if ranges == '' then return end
  local kept = {}
  for range in string.gmatch(ranges .. ' ' .. (redis.call('HGET', key, 'missed') or ''), '%S+') do
    if #kept < RANGES then kept[#kept + 1] = range end
  end
  redis.call('HSET', key, 'missed', table.concat(kept, ' '))
end

-- Writes fields of a record: {field, value, …}, where '' takes the field away.
local function amend(key, fields)
  for i = 1, #fields, 2 do
    if fields[i + 1] == '' then redis.call('HDEL', key, fields[i]) else redis.call('HSET', key, fields[i], fields[i + 1]) end
  end
end

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
