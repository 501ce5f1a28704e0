-- Reads entities: the counters of each, and one user's reactions, at one instant.
--
-- Returns one text for each entity. Its parts are separated by U+001E; the first is
--   FENCED              this is not the server or the epoch that the caller attached to
--   MISS, holder        the entity is not loaded; the holder of its lease (the caller, another, or
--                       '' when there is no room for a lease)
--   USER_MISS, holder   the same for the user of a partially loaded entity
--   SAME, own           the state is the one that the caller knows
--   HIT, own, counts
--   FAILED, error       this entity alone failed
-- A '~' before HIT or SAME says that a filter made a look-up of the user unnecessary.
-- Here own is the joined list of the user's reactions. The counts are the fields and values of the
-- whole count hash, header fields included, joined too: nested lists would take Redis longer than all
-- the rest.
--
-- No KEYS: the script makes the names of its keys, as react.lua does. So one run may read entities of several
-- slots of a node.
-- ARGV
local lease_ms = tonumber(ARGV[1])  -- milliseconds
local now_ms   = tonumber(ARGV[2])  -- the caller's clock, milliseconds since 1970
-- ARGV[3…]: for each entity
--   partition, and the name of the entity as in names of keys
--   epoch and incarnation, the caller's fence
--   the user, '' for a read without a viewer
--   the token of the caller, for a lease
--   holder of an abandoned lease, or ''
--   the op of the state that the caller knows, or ''
local FIRST, ARGS_EACH = 3, 8

local function read(p, name, epoch, incarnation_, user, token, stale, known)
  local tag = '{' .. p .. '}:'
  if not fence_holds(tag .. 'meta', epoch, incarnation_) then
    return 'FENCED'
  end
  local COUNTS = tag .. 'c:' .. name
  local marks = redis.call('HMGET', COUNTS, 'epoch', 'op', 'people')
  if marks[1] ~= epoch or not marks[3] then
    return 'MISS' .. PART .. take_lease(tag .. 'l:' .. name, token, lease_ms, stale)
  end
  local own, avoided = '', ''
  if user ~= '' then
    local USERS = tag .. 'u:' .. name
    local users = redis.call('HMGET', USERS, 'epoch', 'complete', 'u:' .. user, 'filter')
    if users[1] ~= epoch then
      return 'MISS' .. PART .. take_lease(tag .. 'l:' .. name, token, lease_ms, stale)
    end
    if users[3] then
      own = string.sub(users[3], string.find(users[3], US, 1, true) + 1)
    elseif users[2] ~= '1' then
      local FILTER = tag .. 'b:' .. name
      local filter = filter_header(FILTER, epoch, users[4])
      local _, word
      if filter and filter.complete then
        _, word = filter_word(FILTER, filter, user)
      end
      if not word then
        return 'USER_MISS' .. PART .. take_user_lease(USERS, user, token, lease_ms, stale, now_ms)
      end
      avoided = '~'
    end
  end
  if known ~= '' and marks[2] == known then
    return avoided .. 'SAME' .. PART .. own
  end
  return avoided .. 'HIT' .. PART .. own .. PART .. table.concat(redis.call('HGETALL', COUNTS), US)
end

local function read_nth(n)
  local arg = FIRST + ARGS_EACH * n
  return read(unpack(ARGV, arg, arg + ARGS_EACH - 1))
end

local answers = {}
for n = 0, (#ARGV - FIRST + 1) / ARGS_EACH - 1 do
  local fine, answer = pcall(read_nth, n)
  if not fine then
    answer = 'FAILED' .. PART .. (type(answer) == 'table' and answer.err or tostring(answer))
  end
  answers[n + 1] = answer
end
return answers
