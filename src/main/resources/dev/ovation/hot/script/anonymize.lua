-- Removes a user from the checkpoint entry of an outbox: the last applied event, which stays until the
-- next one is applied. Its id, its schema version and its op remain, because readers use only these.
--
-- Returns OK, when the last event is not the user's (any more); BUSY when it is and is not known to be
-- applied; FENCED when the epoch or the server is not the caller's.
--
-- KEYS
local META   = KEYS[1]  -- hash   {p}:meta
local OUTBOX = KEYS[2]  -- stream {p}:outbox
-- ARGV
local epoch        = ARGV[1]  -- the caller's fence
local incarnation_ = ARGV[2]  -- the caller's fence
local user         = ARGV[3]

if not fence_holds(META, epoch, incarnation_) then
  return 'FENCED'
end
local last = redis.call('XREVRANGE', OUTBOX, '+', '-', 'COUNT', 1)[1]
if not last then
  return 'OK'
end
local fields = members(last)
if fields['u'] ~= user then
  return 'OK'
end
if last[1] ~= epoch .. '-' .. (redis.call('HGET', META, 'acked') or '0') then
  return 'BUSY'
end
redis.call('UNLINK', OUTBOX) -- first, because it is never refused: the rest passes at maxmemory too
redis.call('XADD', OUTBOX, last[1], 'e', table.concat({'s', fields['s'] or '', 'op', fields['op'] or ''}, PART))
return 'OK'
