-- Acknowledges events: trims outboxes, marks committed entities clean, and removes hot states that the
-- commit did not confirm.
--
-- Returns for each partition, in their order, OK; FENCED when the epoch or the server is not the
-- caller's; or FAILED and the error, separated by U+001E, when this partition alone failed.
--
-- KEYS: for each partition
--   hash   {p}:meta
--   stream {p}:outbox
--   for each entity its count hash, user hash, lease and filter
-- ARGV
local ttl_ms = ARGV[1]  -- milliseconds
-- ARGV[2…]: for each partition
--   epoch and incarnation, the caller's fence
--   seq of the event before the first one that the entries below acknowledge
--   seq up to which events are applied; that one stays as checkpoint entry
--   the number of entities
--   for each entity
--     the op of its last committed event here, '' when none was committed
--     the seq of that event, 0 when none was; for a commit without an event the watermark under its lock
--     the seq of its last rejected event here, 0 when none was
local FIRST = 2

-- The entities' keys begin at `key`, their acknowledgement entries at `arg`.
local function ack(META, OUTBOX, epoch, incarnation_, after, applied, entities, key, arg)
  if not fence_holds(META, epoch, incarnation_) then
    return 'FENCED'
  end
  local acked = tonumber(redis.call('HGET', META, 'acked') or '0')
  -- Entities of earlier events may lack their acknowledgement: then the events stay for a read of the outbox.
  if acked >= tonumber(after) then
    -- First, because it is never refused: the rest passes at maxmemory too.
    redis.call('XTRIM', OUTBOX, 'MINID', epoch .. '-' .. applied)
    if acked < tonumber(applied) then
      redis.call('HSET', META, 'acked', applied)
    end
  end

  for i = 0, entities - 1 do
    local counts, users, lease, filter = unpack(KEYS, key + 4 * i, key + 4 * i + 3)
    local op, committed, rejected = unpack(ARGV, arg + 3 * i, arg + 3 * i + 2)
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
local key, arg = 1, FIRST
while key <= #KEYS do
  local entities = tonumber(ARGV[arg + 4])
  local fine, answer =
    pcall(ack, KEYS[key], KEYS[key + 1], ARGV[arg], ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3], entities, key + 2, arg + 5)
  if not fine then
    answer = 'FAILED' .. PART .. (type(answer) == 'table' and answer.err or tostring(answer))
  end
  answers[#answers + 1] = answer
  key, arg = key + 2 + 4 * entities, arg + 5 + 3 * entities
end
return answers
