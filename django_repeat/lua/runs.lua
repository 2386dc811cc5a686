-- Purpose: read a run log.
-- KEYS:    1 run log (list)
-- ARGV:    1 frozen clock or '' (not used)
-- Answers: its lines, newest first; none where the key holds something else
-- Atomic:  read only; the type is asked first.

return kind(KEYS[1]) == 'list' and redis.call('LRANGE', KEYS[1], 0, -1) or {}
