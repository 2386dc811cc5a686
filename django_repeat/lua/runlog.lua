-- Put after common.lua and before the verbs that write a run log by scripts.py: lines, letters, ranges, fields.

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
