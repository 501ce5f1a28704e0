-- Writes the configuration version in force into a partition, which then refuses callers with older ones.
--
-- Returns the epoch of the partition, '' when none is open on this server (nothing is written then): the epoch
-- of a promoted replica may still be in use on the server before it, by callers with older rules.
--
-- KEYS
local META = KEYS[1]  -- hash {p}:meta
-- ARGV
local config = ARGV[1]

local meta = redis.call('HMGET', META, 'epoch', 'config', 'incarnation')
if not meta[1] or not is_here(meta[3]) then
  return ''
end
if tonumber(meta[2] or '0') < tonumber(config) then
  redis.call('PERSIST', META) -- changes nothing and is never refused: the next write passes at maxmemory too
  redis.call('HSET', META, 'config', config)
end
return meta[1]
