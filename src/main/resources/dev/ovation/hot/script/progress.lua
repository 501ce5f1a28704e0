-- Reads how far outboxes are proposed and acknowledged; changes nothing.
--
-- Returns for each partition, in their order, epoch, seq of the last proposed event and seq of the last
-- acknowledged one, separated by U+001E, each '' when it is missing; or '' when this node of a Redis
-- Cluster does not serve the partition. Each version has other sentences for that, with the word
-- cluster or slot: 'a non local key in a cluster node', 'a slot not served', 'rehashing of the slot'.
--
-- No KEYS: the script makes the names of its keys, as react.lua does.
-- ARGV[1]: the numbers of the partitions, separated by U+001F

local answers = {}
for _, p in ipairs(split(ARGV[1])) do
  local meta = redis.pcall('HMGET', '{' .. p .. '}:meta', 'epoch', 'seq', 'acked')
  if not meta.err then
    answers[#answers + 1] = (meta[1] or '') .. PART .. (meta[2] or '') .. PART .. (meta[3] or '')
  elseif string.find(meta.err, 'cluster', 1, true) or string.find(meta.err, 'slot', 1, true) then
    answers[#answers + 1] = ''
  else
    return meta
  end
end
return answers
