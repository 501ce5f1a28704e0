-- Reads an entity's counters, and one user's reactions on it, as they are at one instant.
--
-- Returns a list; its first item is
--   FENCED              this is not the server or the epoch that the caller attached to
--   MISS, holder        the entity is not loaded; the holder of its lease (the caller, another, or
--                       '' when there is no room for a lease)
--   USER_MISS, holder   the same for the user of a partially loaded entity
--   HIT, own, counts
-- where own is the joined list of the user's reactions and counts are the fields and values of the
-- whole count hash, marks included, joined too: a nested list would take Redis longer than all the rest.
--
-- KEYS
local META   = KEYS[1]  -- hash   {p}:meta
local COUNTS = KEYS[2]  -- hash   {p}:c:<namespace>:<entity>
local USERS  = KEYS[3]  -- hash   {p}:u:<namespace>:<entity>
local LEASE  = KEYS[4]  -- string {p}:l:<namespace>:<entity>
-- ARGV
local epoch        = ARGV[1]            -- the caller's fence
local incarnation_ = ARGV[2]            -- the caller's fence
local user         = ARGV[3]            -- '': nobody's view
local token        = ARGV[4]            -- of the caller, for a lease
local lease_ms     = tonumber(ARGV[5])  -- milliseconds
local stale        = ARGV[6]            -- a lease holder that was waited for in vain, or ''
local now_ms       = tonumber(ARGV[7])  -- the caller's clock, milliseconds since 1970

local function value_of(field, hash)
  for i = 1, #hash, 2 do
    if hash[i] == field then
      return hash[i + 1]
    end
  end
end

if not fence_holds(META, epoch, incarnation_) then
  return {'FENCED'}
end
local counts = redis.call('HGETALL', COUNTS)
local mark = value_of('epoch', counts)
if mark ~= epoch then
  return {'MISS', take_lease(LEASE, token, lease_ms, stale)}
end
local own = ''
if user ~= '' then
  local users = redis.call('HMGET', USERS, 'epoch', 'complete', 'u:' .. user)
  if users[1] ~= epoch then
    return {'MISS', take_lease(LEASE, token, lease_ms, stale)}
  end
  if users[3] then
    own = string.match(users[3], '^%d+' .. US .. '(.*)$') or ''
  elseif users[2] ~= '1' then
    return {'USER_MISS', take_user_lease(USERS, user, token, lease_ms, stale, now_ms)}
  end
end
return {'HIT', own, table.concat(counts, US)}
