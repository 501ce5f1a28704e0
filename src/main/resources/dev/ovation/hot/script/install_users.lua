-- Writes users that were looked up in Postgres, absence included, into a partial user hash, each only
-- if the user's lease is still the caller's.
--
-- An import, an erasure or a lock commits before its acknowledgement reaches Redis. Its version is greater
-- than every version that Redis can show of the state before. So a user who was looked up at a greater version
-- than the one in Redis belongs to another state, and the user's reactions may exceed the counts. The older
-- state leaves Redis now if it is clean, else when its changes are rejected.
--
-- Returns FENCED, or the number of installed users; or an error, when the server has no room.
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
local bound        = tonumber(ARGV[3])  -- fields above which the hash loses users
local version      = tonumber(ARGV[4])  -- of the entity in Postgres, of the instant of the look-up
-- ARGV[5…]: for each user the id, the token of the lease, the value of the user's field behind the seq.
local FIRST = 5

if not fence_holds(META, epoch, incarnation_) then
  return 'FENCED'
end
local shown = redis.call('HMGET', COUNTS, 'epoch', 'version')
if shown[1] ~= epoch then
  return '0'
end
if tonumber(shown[2] or '0') < version then
  if not dirty(COUNTS) and not dirty(USERS) then
    redis.call('UNLINK', COUNTS, USERS, LEASE, FILTER)
  end
  return '0'
end
local installed = 0
local fresh = {} -- they stay: their callers have not read them yet
for i = FIRST, #ARGV, 3 do
  local user, token, value = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local fields = redis.call('HMGET', USERS, 'l:' .. user, 'u:' .. user)
  if holds_user_lease(fields[1], token) and not fields[2] then
    local refusal = refused('HSET', USERS, 'u:' .. user, '0' .. value)
    if refusal then
      return refusal
    end
    redis.call('HDEL', USERS, 'l:' .. user)
    installed = installed + 1
    fresh[user] = true
  end
end
if installed > 0 then
  trim_users(META, USERS, bound, fresh, 32, 0)
end
return tostring(installed)
