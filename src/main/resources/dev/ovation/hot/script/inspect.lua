-- Copies the data that Redis holds of an entity, at one instant; changes nothing.
--
-- Returns a list; its first item is FENCED, when this is not the server or the epoch that the caller
-- attached to, or SEEN, followed by
--   acked      seq up to which events are known to be committed
--   waiting    op of the outbox event that made the state of the count hash, '' when it is missing
--   two TTLs   of the count hash and the user hash in milliseconds; -1 for none, -2 for no such hash
--   two lists  the fields and values of the count hash, and of the user hash
--
-- KEYS
local META   = KEYS[1]  -- hash   {p}:meta
local OUTBOX = KEYS[2]  -- stream {p}:outbox
local COUNTS = KEYS[3]  -- hash   {p}:c:<namespace>:<entity>
local USERS  = KEYS[4]  -- hash   {p}:u:<namespace>:<entity>
-- ARGV
local epoch        = ARGV[1]  -- the caller's fence
local incarnation_ = ARGV[2]  -- the caller's fence

if not fence_holds(META, epoch, incarnation_) then
  return {'FENCED'}
end
local waiting = ''
local seq = redis.call('HGET', COUNTS, 'seq')
if seq and #seq <= 16 and string.find(seq, '^%d+$') then
  local id = epoch .. '-' .. seq
  for _, entry in ipairs(redis.call('XRANGE', OUTBOX, id, id)) do
    waiting = members(entry)['op'] or ''
  end
end
return {
  'SEEN', redis.call('HGET', META, 'acked') or '0', waiting,
  redis.call('PTTL', COUNTS), redis.call('PTTL', USERS),
  redis.call('HGETALL', COUNTS), redis.call('HGETALL', USERS)
}
