-- Opens a new epoch of a partition with an empty outbox. Sent once, by the instance that took the
-- epoch in Postgres.
--
-- Returns OPENED; FENCED when this server is not the one that the epoch was taken for, or a node of a Redis
-- Cluster that is giving the slot of the partition away; REFUSED when
-- the same or a later epoch was opened here already.
--
-- KEYS
local META   = KEYS[1]  -- hash   {p}:meta
local OUTBOX = KEYS[2]  -- stream {p}:outbox
-- ARGV
local epoch        = ARGV[1]
local incarnation_ = ARGV[2]
local config       = ARGV[3]  -- newest configuration version, read after the epoch was taken; it replaces
                              -- the stored one, which may be a later one that Postgres has lost since

if not is_here(incarnation_) or not is_steady(META, incarnation_) then
  return 'FENCED'
end
if tonumber(redis.call('HGET', META, 'epoch') or '0') >= tonumber(epoch) then
  return 'REFUSED'
end
redis.call('UNLINK', OUTBOX) -- first, because it is never refused: it opens at maxmemory too
redis.call('HSET', META,
  'epoch', epoch, 'incarnation', incarnation_, 'seq', '0', 'acked', '0', 'config', config)
return 'OPENED'
