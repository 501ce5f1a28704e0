-- Tells Redis what became of events: trims the outbox and turns entities clean, or removes what the
-- commit did not bear out.
--
-- Returns OK, or FENCED when the epoch or the server is not the caller's.
--
-- KEYS
local META   = KEYS[1]  -- hash   {p}:meta
local OUTBOX = KEYS[2]  -- stream {p}:outbox
-- KEYS[3…]: for each entity its count hash, user hash and lease.
-- ARGV
local epoch        = ARGV[1]            -- the caller's fence
local incarnation_ = ARGV[2]            -- the caller's fence
local applied      = ARGV[3]            -- seq up to which events are applied; that one stays as anchor
local ttl_ms       = ARGV[4]            -- milliseconds
-- ARGV[5…]: for each entity
--   the op of its last committed event here, '' when none was committed
--   the seq of that event, 0 when none was; for a commit without an event the cursor under its lock
--   the seq of its last rejected event here, 0 when none was
local FIRST = 5

if not fence_holds(META, epoch, incarnation_) then
  return 'FENCED'
end
-- First, because it is never refused: what follows passes at maxmemory too.
redis.call('XTRIM', OUTBOX, 'MINID', epoch .. '-' .. applied)
if tonumber(redis.call('HGET', META, 'acked') or '0') < tonumber(applied) then
  redis.call('HSET', META, 'acked', applied)
end

for i = 3, #KEYS, 3 do
  local counts, users, lease = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local a = FIRST + i - 3
  local op, committed, rejected = ARGV[a], tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2])
  local marks = redis.call('HMGET', counts, 'epoch', 'since', 'op', 'seq')
  local remove
  if marks[1] ~= epoch then
    remove = true -- absent, or left over from an older epoch
  elseif rejected > 0 and tonumber(marks[2] or '0') < rejected then
    remove = true -- it was there when the rejected event was proposed on it
  elseif op == '' then
    remove = false
  elseif marks[3] == op then
    redis.call('PEXPIRE', counts, ttl_ms)
    redis.call('PEXPIRE', users, ttl_ms)
    redis.call('UNLINK', lease) -- one hash may be gone, and its loader have read before this commit
    remove = false
  else
    remove = tonumber(marks[4] or '0') <= committed -- not ahead, with another past
  end
  if remove then
    redis.call('UNLINK', counts, users, lease)
  end
end
return 'OK'
