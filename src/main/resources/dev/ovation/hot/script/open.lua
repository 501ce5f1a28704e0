-- Opens a new epoch of a partition with an empty outbox. Sent once, by the instance that took the
-- epoch in Postgres.
--
-- Returns OPENED; FENCED when this server is not the one that the epoch was taken for; REFUSED when
-- the same or a later epoch was opened here already.
--
-- KEYS
local META   = KEYS[1]  -- hash   {p}:meta
local OUTBOX = KEYS[2]  -- stream {p}:outbox
-- ARGV
local epoch        = ARGV[1]
local incarnation_ = ARGV[2]
local config       = ARGV[3]  -- newest configuration version when the epoch was taken

if incarnation() ~= incarnation_ then
  return 'FENCED'
end
local meta = redis.call('HMGET', META, 'epoch', 'config')
if tonumber(meta[1] or '0') >= tonumber(epoch) then
  return 'REFUSED'
end
redis.call('UNLINK', OUTBOX) -- first, because it is never refused: it opens at maxmemory too
if tonumber(meta[2] or '0') < tonumber(config) then
  redis.call('HSET', META, 'config', config)
end
redis.call('HSET', META, 'epoch', epoch, 'incarnation', incarnation_, 'seq', '0', 'acked', '0')
return 'OPENED'
