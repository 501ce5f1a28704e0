-- Releases the lease of an entity, for a loader that gives up.
--
-- Returns RELEASED; LOST when the lease is not the caller's any more.
--
-- KEYS
local LEASE = KEYS[1]  -- string {p}:l:<namespace>:<entity>
-- ARGV
local token = ARGV[1]  -- of the caller

if redis.call('GET', LEASE) ~= token then
  return 'LOST'
end
redis.call('UNLINK', LEASE)
return 'RELEASED'
