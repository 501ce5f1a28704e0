-- Acknowledges events: trims outboxes, marks committed entities clean, and removes hot states that the
-- commit did not confirm.
--
-- Returns for each partition, in their order, OK; FENCED when the epoch or the server is not the
-- caller's; or FAILED and the error, separated by U+001E, when this partition alone failed.
--
-- No KEYS: the script makes the names of its keys, as react.lua does.
-- ARGV
local ttl_ms = ARGV[1]  -- milliseconds
-- ARGV[2]: the partitions
--   number
--   epoch and incarnation, the caller's fence
--   seq of the event before the first one that the entities below acknowledge
--   seq up to which events are applied; that one stays as checkpoint entry
--   the entities
local PARTITION = string.rep('([^\30]*)\30', 5) .. '([^\29]*)\29'
-- An entity
--   namespace and entity, as in names of keys
--   the op of its last committed event here, '' when none was committed
--   the seq of that event, 0 when none was; for a commit without an event the watermark under its lock
--   the seq of its last rejected event here, 0 when none was
local ENTITY = '([^\31]*)\31([^\31]*)\31(%d+)\31(%d+)\30'

local function ack(p, epoch, incarnation_, after, applied, entities)
  local tag = '{' .. p .. '}:'
  local META, OUTBOX = tag .. 'meta', tag .. 'outbox'
  if not fence_holds(META, epoch, incarnation_, 'acked') then
    return 'FENCED'
  end
  local meta = opened[META]
  local acked = tonumber(meta[3] or '0')
  -- Entities of earlier events may lack their acknowledgement: then the events stay for a read of the outbox.
  if acked >= tonumber(after) then
    -- First, because it is never refused: the rest passes at maxmemory too.
    redis.call('XTRIM', OUTBOX, 'MINID', epoch .. '-' .. applied)
    if acked < tonumber(applied) then
      redis.call('HSET', META, 'acked', applied)
      meta[3] = applied
    end
  end

  for name, op, committed, rejected in string.gmatch(entities, ENTITY) do
    local counts, users = tag .. 'c:' .. name, tag .. 'u:' .. name
    local lease, filter = tag .. 'l:' .. name, tag .. 'b:' .. name
    committed, rejected = tonumber(committed), tonumber(rejected)
    local marks = redis.call('HMGET', counts, 'epoch', 'since', 'op', 'seq')
    local remove
    if marks[1] ~= epoch then
      remove = true -- absent, or left over from an older epoch
    elseif rejected > 0 and tonumber(marks[2] or '0') < rejected then
      remove = true -- it was there when the rejected event was proposed on it
    elseif op == '' then
      remove = false
    elseif marks[3] == op then
      redis.call('PEXPIRE', counts, ttl_ms)
      redis.call('PEXPIRE', users, ttl_ms)
      redis.call('PEXPIRE', filter, ttl_ms)
      redis.call('UNLINK', lease) -- one hash may be gone, and its loader may have read before this commit
      remove = false
    else
      remove = tonumber(marks[4] or '0') <= committed -- not ahead, with another past
    end
    if remove then
      redis.call('UNLINK', counts, users, lease, filter)
    end
  end
  return 'OK'
end

local answers = {}
for p, epoch, incarnation_, after, applied, entities in string.gmatch(ARGV[2], PARTITION) do
  local fine, answer = pcall(ack, p, epoch, incarnation_, after, applied, entities)
  if not fine then
    answer = 'FAILED' .. PART .. (type(answer) == 'table' and answer.err or tostring(answer))
  end
  answers[#answers + 1] = answer
end
return answers
