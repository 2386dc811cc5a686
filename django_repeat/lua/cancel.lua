-- Purpose: take a schedule out of the registry: member, record and run log together. Foreign and broken ones too.
-- KEYS:    1 schedules (zset), 2 record (hash), 3 run log (list)
-- ARGV:    1 frozen clock or '' (not used), 2 name
-- Answers: 'cancelled' or 'absent'
-- Atomic:  no reader may find a member without its record, or the reverse.

local wrong = registry_error(KEYS[1])
if wrong then return wrong end
local member = redis.call('ZREM', KEYS[1], ARGV[2])
local record = redis.call('DEL', KEYS[2])
redis.call('DEL', KEYS[3])
return member + record > 0 and 'cancelled' or 'absent'
