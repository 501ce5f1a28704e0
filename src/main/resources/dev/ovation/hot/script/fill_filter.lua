-- Takes one step of filling the filter of a partially loaded entity: begins it, or adds users that were
-- read from Postgres.
--
-- Returns FENCED; or
--   ABSENT    there is nothing to fill: the entity is not in Redis, or with all its users
--   COMPLETE  the filter is complete, and not too small
--   LARGE     the entity has too many reactions for a filter
--   BUSY      another caller has begun a filter, and took a step within the patience
--   WAIT      the filter is begun, but changes proposed before may not be in Postgres yet: call again
--   READ      all those changes are in Postgres: read its users and add them
--   LOST      users were given, and the filter is no longer the caller's
-- or an error, when the server has no room; then nothing changed.
--
-- KEYS
local META   = KEYS[1]  -- hash   {p}:meta
local COUNTS = KEYS[2]  -- hash   {p}:c:<namespace>:<entity>
local USERS  = KEYS[3]  -- hash   {p}:u:<namespace>:<entity>
local FILTER = KEYS[4]  -- string {p}:b:<namespace>:<entity>
-- ARGV
local epoch        = ARGV[1]            -- the caller's fence
local incarnation_ = ARGV[2]            -- the caller's fence
local id           = ARGV[3]            -- of the caller's filter, unique
local now_ms       = tonumber(ARGV[4])  -- the caller's clock, milliseconds since 1970
local patience_ms  = tonumber(ARGV[5])  -- time after which another caller's filter is abandoned
local step         = ARGV[6]            -- begin | add | last: add, and all users are added then
-- ARGV[7…]: users that have a reaction in Postgres, read after an answer READ
local FIRST = 7

if not fence_holds(META, epoch, incarnation_) then
  return 'FENCED'
end
local users = redis.call('HMGET', USERS, 'epoch', 'complete', 'filter')
local filter = users[1] == epoch and filter_header(FILTER, epoch, users[3])

if step ~= 'begin' then
  if not filter or filter.id ~= id or filter.state ~= 'r' then
    return 'LOST'
  end
  filter.touched = now_ms
  local refusal = refused('SETRANGE', FILTER, 0, filter_header_text(filter))
  if refusal then
    return refusal
  end
  filter_put(FILTER, filter, ARGV, FIRST)
  if step == 'last' then
    filter.state = 'c'
    redis.call('SETRANGE', FILTER, 0, filter_header_text(filter))
    return 'COMPLETE'
  end
  return 'READ'
end

if users[1] ~= epoch or users[2] ~= '0' or redis.call('HGET', COUNTS, 'epoch') ~= epoch then
  return 'ABSENT'
end
local meta = redis.call('HMGET', META, 'seq', 'acked')

if not filter or filter.id ~= id then
  local reactions = 0 -- at least as many as users that have one
  local counts = redis.call('HGETALL', COUNTS)
  for i = 1, #counts, 2 do
    if string.sub(counts[i], 1, 2) == 'r:' then
      reactions = reactions + tonumber(string.match(counts[i + 1], '^%d+'))
    end
  end
  local words = filter_words(reactions)
  if filter and filter.complete and words and words <= filter.words then
    return 'COMPLETE'
  end
  if not words then
    return 'LARGE'
  end
  if filter and not filter.complete and math.abs(now_ms - filter.touched) < patience_ms then
    return 'BUSY'
  end
  local refusal = refused('HSET', USERS, 'filter', id)
  if refusal then
    return refusal
  end
  filter = {state = 'b', epoch = epoch, words = words, from = meta[1], touched = now_ms, id = id}
  filter_write(FILTER, filter, USERS)
end
if filter.complete then
  return 'COMPLETE'
end
local committed = tonumber(meta[2] or '0') >= tonumber(filter.from)
if committed then
  filter.state = 'r'
end
filter.touched = now_ms
local refusal = refused('SETRANGE', FILTER, 0, filter_header_text(filter))
if refusal then
  return refusal
end
return committed and 'READ' or 'WAIT'
