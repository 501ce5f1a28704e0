-- Removes stale keys. It compares the epoch of each key before it unlinks the key.
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
    mark = string.match(redis.call('GETRANGE', KEYS[i], 0, FILTER_HEADER - 1), '^%w+ %a (%d+) ')
  else
    mark = redis.call('HGET', KEYS[i], 'epoch')
  end
  mark = tonumber(mark or '0')
  if mark < epoch then
    removed = removed + redis.call('UNLINK', KEYS[i])
  end
end
return tostring(removed)
