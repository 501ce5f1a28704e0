-- Tells Redis what became of events: trims outboxes and turns entities clean, or removes what the
-- commit did not bear out.
--
-- Returns for each partition, in their order, OK; FENCED when the epoch or the server is not the
-- caller's; or FAILED and the error, separated by U+001E, when something is wrong with it alone.
--
-- KEYS: for each partition
--   hash   {p}:meta
--   stream {p}:outbox
--   for each entity its count hash, user hash and lease
-- ARGV
local ttl_ms = ARGV[1]  -- milliseconds
-- ARGV[2…]: for each partition
--   epoch and incarnation, the caller's fence
--   seq up to which events are applied; that one stays as anchor
--   the number of entities
--   for each entity
--     the op of its last committed event here, '' when none was committed
--     the seq of that event, 0 when none was; for a commit without an event the cursor under its lock
--     the seq of its last rejected event here, 0 when none was
local FIRST = 2

-- The entities' keys begin at `key`, what became of them at `arg`.
local function ack(META, OUTBOX, epoch, incarnation_, applied, entities, key, arg)
  if not fence_holds(META, epoch, incarnation_) then
    return 'FENCED'
  end
  -- First, because it is never refused: what follows passes at maxmemory too.
  redis.call('XTRIM', OUTBOX, 'MINID', epoch .. '-' .. applied)
  if tonumber(redis.call('HGET', META, 'acked') or '0') < tonumber(applied) then
    redis.call('HSET', META, 'acked', applied)
  end

  for i = 0, entities - 1 do
    local counts, users, lease = unpack(KEYS, key + 3 * i, key + 3 * i + 2)
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
      redis.call('UNLINK', lease) -- one hash may be gone, and its loader have read before this commit
      remove = false
    else
      remove = tonumber(marks[4] or '0') <= committed -- not ahead, with another past
    end
    if remove then
      redis.call('UNLINK', counts, users, lease)
    end
  end
  return 'OK'
end

local answers = {}
local key, arg = 1, FIRST
while key <= #KEYS do
  local entities = tonumber(ARGV[arg + 3])
  local fine, answer =
    pcall(ack, KEYS[key], KEYS[key + 1], ARGV[arg], ARGV[arg + 1], ARGV[arg + 2], entities, key + 2, arg + 4)
  if not fine then
    answer = 'FAILED' .. PART .. (type(answer) == 'table' and answer.err or tostring(answer))
  end
  answers[#answers + 1] = answer
  key, arg = key + 2 + 3 * entities, arg + 4 + 3 * entities
end
return answers
