-- Purpose: win due entries for one ticker until their lease ends.
-- KEYS:    1 schedules (zset), 2 switch of the queue (hash), 3… records (hashes)
-- ARGV:    1 frozen clock or '', 2 token (never used before by any ticker), 3 lease in ms,
--          then per record: score seen
-- Answers: {now, holes of the queue or nil, answer, …}, per record
--          {'won', as of, nominal, failures, fired_count, digest, every_ms, phase_ms, cron, tz,
--           first_in_ms, enabled, policies, template, source, more}, where more is nil, or if there is any of them
--          {holes, paused, paused_until, wait, run, manual};
--          {'lost'}, also while the queue is paused; {'foreign'}; {'broken', reason}: looked at again in a minute
--          Asked again with the same token it answers the same records, and their lease starts anew.
-- Atomic:  the score seen, the fence and the new score are one decision. The first claim's instant stays in the record
--          (`asof`), so that a claim after a death plans what the dead ticker planned.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local token = ARGV[2]
local lease = now + tonumber(ARGV[3])

local halted, over = paused(KEYS[2], now)

-- Answers what pauses of the queue took out, that which has ended by itself too.
local function holes_of_queue()
  local seen = redis.call('HMGET', KEYS[2], 'holes', 'paused')
  if not (seen[2] and over) then return seen[1] end
  return (seen[1] or '') .. ' p' .. seen[2] .. '-' .. over
end

local function won(key, as_of)
  local answer = redis.call('HMGET', key, 'nominal', 'failures', 'fired_count', 'digest', 'every_ms',
    'phase_ms', 'cron', 'tz', 'first_in_ms', 'enabled', 'policies', 'template', 'source')
  local more, any = redis.call('HMGET', key, 'holes', 'paused', 'paused_until', 'wait', 'run', 'manual'), false
  for i = 1, 6 do any = any or more[i] end
  table.insert(answer, 1, as_of)
  table.insert(answer, 1, 'won')
  answer[16] = any and more
  return answer
end

local function hold(key, name, as_of)
  redis.call('HSET', key, 'fence', token, 'lease', int(lease), 'asof', as_of)
  redis.call('HINCRBY', key, 'rev', 1)
  redis.call('ZADD', KEYS[1], int(lease), name)
  return won(key, as_of)
end

local function broken(name, reason)
  redis.call('ZADD', KEYS[1], int(now + BROKEN_MS), name)
  return { 'broken', reason }
end

local function claim(key, name, seen)
  local at = redis.call('ZSCORE', KEYS[1], name)
  if not at then return { 'lost' } end
  local due = tonumber(at) == tonumber(seen) and tonumber(at) <= now
  local found = kind(key)
  if found ~= 'hash' then
    if not due then return { 'lost' } end
    return broken(name, found == 'none' and 'the record is missing' or 'the record is a ' .. found .. ', not a hash')
  end
  local record = redis.call('HMGET', key, 'v', 'fence', 'settled', 'asof', 'nominal', 'wait')
  if record[2] ~= token and (not due or record[3] == token) then return { 'lost' } end
  if record[1] ~= FORMAT then return { 'foreign' } end
  local reason = not (record[5] or record[6]) and 'the record holds no nominal time' or damage(key)
  if reason then return broken(name, reason) end
  return hold(key, name, record[4] or int(now))
end

local out = { int(now), holes_of_queue() }
for i = 3, #KEYS do out[i] = halted and { 'lost' } or claim(KEYS[i], name_of(KEYS[i]), ARGV[i + 1]) end
return out
