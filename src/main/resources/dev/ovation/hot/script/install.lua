-- Writes an entity that was read from Postgres into Redis, clean, if the lease is still the caller's.
--
-- Returns INSTALLED; FENCED; LOST when the lease is not the caller's any more; DIRTY when a part of
-- the entity holds an uncommitted change, so that the caller must wait for the commit. Returns an error
-- when the server has no room; then nothing changed.
--
-- KEYS
local META   = KEYS[1]  -- hash   {p}:meta
local COUNTS = KEYS[2]  -- hash   {p}:c:<namespace>:<entity>
local USERS  = KEYS[3]  -- hash   {p}:u:<namespace>:<entity>
local LEASE  = KEYS[4]  -- string {p}:l:<namespace>:<entity>
local FILTER = KEYS[5]  -- string {p}:b:<namespace>:<entity>
-- ARGV
local epoch        = ARGV[1]            -- the caller's fence
local incarnation_ = ARGV[2]            -- the caller's fence
local token        = ARGV[3]            -- of the lease
local ttl_ms       = ARGV[4]            -- milliseconds
local version      = ARGV[5]
local op           = ARGV[6]
local at           = ARGV[7]            -- microseconds since 1970
local people       = ARGV[8]            -- number of users with a reaction
local complete     = ARGV[9]            -- 1: the users below are all there are
local counters     = tonumber(ARGV[10]) -- how many
local lock         = ARGV[11]           -- '' for none; else the reactions it lets pass, each between two U+001E
-- ARGV[12…]: for each counter its key and 'count US first US last', then for each user the id and the
-- value of the user's field behind the seq.
local FIRST = 12

if not fence_holds(META, epoch, incarnation_) then
  return 'FENCED'
end
if redis.call('GET', LEASE) ~= token then
  return 'LOST'
end
local meta = redis.call('HMGET', META, 'seq', 'acked')
local since = meta[1]
-- While every event is acknowledged no key is dirty, even if an operator removed a TTL by hand.
local settled = meta[1] == meta[2]
for _, key in ipairs({COUNTS, USERS}) do
  if not settled and redis.call('HGET', key, 'epoch') == epoch and dirty(key) then
    return 'DIRTY'
  end
end

-- A write that changes nothing but is refused at maxmemory, before the script removes any key.
local refusal = refused('HSET', META, 'epoch', epoch)
if refusal then
  return refusal
end
redis.call('UNLINK', COUNTS, USERS, LEASE, FILTER)
redis.call('HSET', COUNTS, 'epoch', epoch, 'since', since, 'version', version, 'op', op, 'seq', '0', 'at', at,
  'people', people)
redis.call('HSET', USERS, 'epoch', epoch, 'since', since, 'complete', complete)
if lock ~= '' then
  redis.call('HSET', COUNTS, 'lock', lock)
end
local users_from = FIRST + 2 * counters
for i = FIRST, users_from - 1, 2 do
  redis.call('HSET', COUNTS, 'r:' .. ARGV[i], ARGV[i + 1])
end
for i = users_from, #ARGV, 2 do
  redis.call('HSET', USERS, 'u:' .. ARGV[i], '0' .. ARGV[i + 1])
end
redis.call('PEXPIRE', COUNTS, ttl_ms)
redis.call('PEXPIRE', USERS, ttl_ms)
return 'INSTALLED'
