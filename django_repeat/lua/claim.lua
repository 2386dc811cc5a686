-- Purpose: win due entries for one ticker until their lease ends.
-- KEYS:    1 schedules (zset), 2… records (hashes)
-- ARGV:    1 frozen clock or '', 2 token (never used before by any ticker), 3 lease in ms,
--          then per record: name, score seen
-- Answers: {now, answer, …}, per record
--          {'won', as of, nominal, failures, fired_count, digest, every_ms, phase_ms, cron, tz,
--           first_in_ms, enabled, policies, template, source};
--          {'lost'}; {'foreign'}; {'broken', reason}: looked at again in a minute
--          Asked again with the same token it answers the same records, and their lease starts anew.
-- Atomic:  the score seen, the fence and the new score are one decision. The first claim's instant stays in the record
--          (`asof`), so that a claim after a death plans what the dead ticker planned.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local now = clock(ARGV[1])
local token = ARGV[2]
local lease = now + tonumber(ARGV[3])

local function won(key, as_of)
  local answer = redis.call('HMGET', key, 'nominal', 'failures', 'fired_count', 'digest', 'every_ms',
    'phase_ms', 'cron', 'tz', 'first_in_ms', 'enabled', 'policies', 'template', 'source')
  table.insert(answer, 1, as_of)
  table.insert(answer, 1, 'won')
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
  local record = redis.call('HMGET', key, 'v', 'fence', 'settled', 'asof', 'nominal')
  if record[2] ~= token and (not due or record[3] == token) then return { 'lost' } end
  if record[1] ~= FORMAT then return { 'foreign' } end
  local reason = not record[5] and 'the record holds no nominal time' or damage(key)
  if reason then return broken(name, reason) end
  return hold(key, name, record[4] or int(now))
end

local out = { int(now) }
for i = 2, #KEYS do out[i] = claim(KEYS[i], ARGV[2 * i], ARGV[2 * i + 1]) end
return out
