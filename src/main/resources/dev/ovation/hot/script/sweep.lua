-- Removes stale keys: those of an older epoch, and filters that their user hash does not name.
--
-- Returns the number of removed keys.
--
-- KEYS
local META = KEYS[1]  -- hash {p}:meta
-- KEYS[2…]: count hashes, user hashes and filters of the same partition.

local epoch = tonumber(redis.call('HGET', META, 'epoch') or '0')
local removed = 0
for i = 2, #KEYS do
  local mark
  if string.find(KEYS[i], '^{%d+}:b:') then
    local header = redis.call('GETRANGE', KEYS[i], 0, FILTER_HEADER - 1)
    local id = string.match(header, '^1 %a %d+ %d+ %d+ %d+ (%S+) *$')
    local users = string.gsub(KEYS[i], '^({%d+}):b:', '%1:u:')
    if not id or redis.call('HGET', users, 'filter') == id then
      mark = string.match(header, '^%w+ %a (%d+) ')
    end
  else
    mark = redis.call('HGET', KEYS[i], 'epoch')
  end
  mark = tonumber(mark or '0')
  if mark < epoch then
    removed = removed + redis.call('UNLINK', KEYS[i])
  end
end
return tostring(removed)
