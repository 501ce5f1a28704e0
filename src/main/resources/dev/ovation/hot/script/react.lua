-- Judges one change of one user on one entity and, when the rules allow it, appends it to the outbox
-- and applies it to the hot state, all in one step.
--
-- Returns a list; its first item is
--   FENCED              this is not the server or the epoch that the caller attached to
--   STALE_CONFIG        rules newer than the caller's are in force
--   FULL                the outbox has reached its cap
--   IN_FLIGHT           a request with the same idempotency key is under way
--   MISS, holder        the entity is not loaded; the holder of its lease (the caller, or another)
--   USER_MISS, holder   the same for the user of a partially loaded entity
--   OTHER, seq, version, op, counters, own
--                       the entity is in another state than the caller demands: in this one
--   EXISTS, seq         the user already has the reaction
--   UNKNOWN, seq, id    the set has no such reaction, and the user has not kept it from before
--   CONFLICT, seq, ids, id
--                       what excludes the addition of id: the user's own, or wanted with it
--   LIMIT, seq          one more kind would break max_uniq_reactions
--   UNCHANGED or APPLIED, seq, version, added, removed, counters, own
-- or an error, when the server refuses the event: nothing changed then.
-- Here seq is the outbox event on which the answer rests (0: on none), counters a flat list of
-- reaction, count, first, last (of a change only on demand), and own the user's reactions. Lists are
-- joined.
--
-- KEYS
local META     = KEYS[1]  -- hash   {p}:meta
local OUTBOX   = KEYS[2]  -- stream {p}:outbox
local COUNTS   = KEYS[3]  -- hash   {p}:c:<namespace>:<entity>
local USERS    = KEYS[4]  -- hash   {p}:u:<namespace>:<entity>
local LEASE    = KEYS[5]  -- string {p}:l:<namespace>:<entity>
local IN_HAND  = KEYS[6]  -- string {p}:i:<namespace>:<user>:<idempotency key>
-- ARGV
local epoch         = ARGV[1]            -- the caller's fence
local incarnation_  = ARGV[2]            -- the caller's fence
local config        = tonumber(ARGV[3])  -- configuration version of the rules below; 0: judged by none
local outbox_cap    = tonumber(ARGV[4])  -- events
local op            = ARGV[5]            -- id of this operation
local now           = tonumber(ARGV[6])  -- microseconds since 1970
local namespace     = ARGV[7]
local entity        = ARGV[8]
local user          = ARGV[9]
local kind          = ARGV[10]           -- add | remove | put: these are all that the user is to have
local wanted        = split(ARGV[11])    -- keys of the reactions, each once, joined
local groups        = ARGV[12]           -- groups of keys that exclude each other, joined by U+001E
local force         = ARGV[13] == '1'    -- remove what excludes it
local existing_fine = ARGV[14] == '1'    -- adding what is there changes nothing instead of EXISTS
local limit         = tonumber(ARGV[15]) -- max_uniq_reactions
local live          = ARGV[16]           -- keys of the set, joined, with a separator at both ends
local crowd         = tonumber(ARGV[17]) -- users above which a hash becomes partial
local bound         = tonumber(ARGV[18]) -- fields above which a partial hash loses users
local token         = ARGV[19]           -- of the caller, for a lease
local lease_ms      = tonumber(ARGV[20]) -- milliseconds
local stale         = ARGV[21]           -- a lease holder that was waited for in vain, or ''
local key           = ARGV[22]           -- idempotency key, or ''
local request_hash  = ARGV[23]
local request       = ARGV[24]           -- id of the request, the same for all its attempts
local in_hand_ms    = ARGV[25]           -- milliseconds
local with_state    = ARGV[26] == '1'
local now_ms        = tonumber(ARGV[27]) -- the caller's clock for leases, milliseconds since 1970
local state         = ARGV[28]           -- version and op of the only state to judge on, joined; or ''
local after         = tonumber(ARGV[29]) -- seq of a change that the state must include, or 0

local AT_ONCE = 100 -- items of a list as arguments of one call; some thousands would raise an error

if not fence_holds(META, epoch, incarnation_) then
  return {'FENCED'}
end
local meta = redis.call('HMGET', META, 'seq', 'config', 'acked')
local config_in_force = tonumber(meta[2] or '0')
if config > 0 and config < config_in_force then
  return {'STALE_CONFIG'}
end
if redis.call('XLEN', OUTBOX) > outbox_cap then
  return {'FULL'}
end
if key ~= '' then
  -- Over once its event is: acknowledged (Postgres has the answer, or rejected it) or of another epoch.
  local owner, of_epoch, of_seq = string.match(redis.call('GET', IN_HAND) or '', '^(.*) (%d+) (%d+)$')
  if owner and owner ~= request and of_epoch == epoch and tonumber(of_seq) > tonumber(meta[3] or '0') then
    return {'IN_FLIGHT'}
  end
end

local first_wanted = wanted[1] or ''
local marks = redis.call('HMGET', COUNTS, 'epoch', 'version', 'op', 'seq', 'at', 'r:' .. first_wanted, 'since')
local users = redis.call('HMGET', USERS, 'epoch', 'complete', 'u:' .. user)
if marks[1] ~= epoch or users[1] ~= epoch then
  return {'MISS', take_lease(LEASE, token, lease_ms, stale)}
end
if not users[3] and users[2] ~= '1' then
  return {'USER_MISS', take_user_lease(USERS, user, token, lease_ms, stale, now_ms)}
end

local own = split(users[3] or '0')
local user_seq = table.remove(own, 1)

local function flat_counters()
  local flat = {}
  local all = redis.call('HGETALL', COUNTS)
  for i = 1, #all, 2 do
    local id = string.match(all[i], '^r:(.*)$')
    if id then
      flat[#flat + 1] = id .. US .. all[i + 1]
    end
  end
  return table.concat(flat, US)
end

local demanded = state == '' or state == marks[2] .. US .. marks[3]
-- A state that was installed after that change may lack it, even when its seq is greater.
if not demanded or (after > 0 and (tonumber(marks[4]) < after or tonumber(marks[7] or '0') >= after)) then
  return {'OTHER', marks[4], marks[2], marks[3], flat_counters(), table.concat(own, US)}
end

-- Judge. `removed` is what goes, `added` what comes, `kept` what stays.
local added, removed, kept = {}, {}, own
if kind == 'remove' then
  if contains(own, wanted[1]) then
    removed[1] = wanted[1]
  end
else
  for _, id in ipairs(wanted) do
    if not contains(own, id) then
      added[#added + 1] = id
    elseif not existing_fine then
      return {'EXISTS', user_seq}
    end
  end
end
if kind == 'put' then
  kept = {} -- what is not wanted goes first; the rest is judged on what is left
  for _, id in ipairs(own) do
    local list = contains(wanted, id) and kept or removed
    list[#list + 1] = id
  end
  for _, id in ipairs(added) do
    if not string.find(live, US .. id .. US, 1, true) then
      return {'UNKNOWN', user_seq, id}
    end
  end
end

local exclusive = {}
for group in string.gmatch(groups, '[^' .. PART .. ']+') do
  exclusive[#exclusive + 1] = split(group)
end
local afterwards = {} -- as a set, what the user has then
for _, list in ipairs({kept, added}) do
  for _, id in ipairs(list) do
    afterwards[id] = true
  end
end

local function rivals(id)
  local found = {}
  for _, group in ipairs(exclusive) do
    if contains(group, id) then
      for _, other in ipairs(group) do
        if other ~= id and afterwards[other] and not contains(found, other) then -- groups may overlap
          found[#found + 1] = other
        end
      end
    end
  end
  return found
end

for _, id in ipairs(added) do
  local conflicting = rivals(id)
  if #conflicting > 0 and not force then
    return {'CONFLICT', user_seq, table.concat(conflicting, US), id}
  end
  if force then
    removed = conflicting
  end
end

local function counter(id)
  local value = marks[6]
  if id ~= first_wanted then
    value = redis.call('HGET', COUNTS, 'r:' .. id)
  end
  if not value then
    return {0, 0, 0}
  end
  local part = split(value)
  return {tonumber(part[1]), tonumber(part[2]), tonumber(part[3])}
end

-- The kinds of the set that the entity will show without what goes: retired ones use up no place.
local function kinds_left()
  local kinds = 0
  for _, field in ipairs(redis.call('HKEYS', COUNTS)) do
    local id = string.match(field, '^r:(.*)$')
    if id and string.find(live, US .. id .. US, 1, true) then
      if not (contains(removed, id) and counter(id)[1] == 1) then
        kinds = kinds + 1
      end
    end
  end
  return kinds
end

if #added > 0 then
  local new_kinds = 0
  for _, id in ipairs(added) do
    if counter(id)[1] == 0 then
      new_kinds = new_kinds + 1
    end
  end
  if limit == 0 or (new_kinds > 0 and kinds_left() + new_kinds > limit) then
    return {'LIMIT', marks[4]}
  end
end

local changes = #added + #removed
if changes == 0 and key == '' then
  return {
    'UNCHANGED', user_seq, marks[2], '', '',
    with_state and flat_counters() or '', table.concat(own, US)
  }
end

-- Decide everything before the first write: there is no roll-back.
local seq = tonumber(meta[1]) + 1
local at = math.max(now, tonumber(marks[5]) + 1)
local version = tonumber(marks[2])
if changes > 0 then
  version = version + 1
end

local counters = {} -- flat list of field, value for what the entity still shows
local gone = {}     -- fields of what it shows no more
local touched = {}  -- flat list of reaction, count, first, last
local function touch(id, step)
  local c = counter(id)
  local count = c[1] + step
  if step > 0 then
    c[2] = c[1] == 0 and at or c[2]
    c[3] = at
  end
  local value = whole(count) .. US .. whole(c[2]) .. US .. whole(c[3])
  touched[#touched + 1] = id .. US .. value
  if count > 0 then
    counters[#counters + 1] = 'r:' .. id
    counters[#counters + 1] = value
  else
    gone[#gone + 1] = 'r:' .. id
  end
end

local own_after = {}
for _, id in ipairs(own) do
  if not contains(removed, id) then
    own_after[#own_after + 1] = id
  end
end
for _, id in ipairs(removed) do
  touch(id, -1)
end
for _, id in ipairs(added) do
  touch(id, 1)
  own_after[#own_after + 1] = id
end

local event = {
  's', '1',
  'op', op,
  'base', marks[3],
  'n', namespace,
  'e', entity,
  'u', user,
  'add', table.concat(added, US),
  'rem', table.concat(removed, US),
  'bv', marks[2],
  'v', whole(version),
  'cnt', table.concat(touched, US),
  'at', whole(at),
  'cfg', whole(config)
}
if key ~= '' then
  -- The answer must be in the event, which is written before the state: so compute the state now.
  local counted = split(flat_counters())
  local unmoved = {}
  for i = 1, #counted, 4 do
    local field = 'r:' .. counted[i]
    local changed = contains(gone, field)
    for j = 1, #counters, 2 do
      changed = changed or counters[j] == field
    end
    if not changed then
      unmoved[#unmoved + 1] = table.concat(counted, US, i, i + 3)
    end
  end
  for j = 1, #counters, 2 do
    unmoved[#unmoved + 1] = string.sub(counters[j], 3) .. US .. counters[j + 1]
  end
  for _, item in ipairs({'ik', key, 'ih', request_hash, 'st', table.concat(unmoved, US), 'own', table.concat(own_after, US)}) do
    event[#event + 1] = item
  end
end

-- The first write is the one that may be refused at maxmemory; after it nothing fails.
local refusal = refused('XADD', OUTBOX, epoch .. '-' .. whole(seq), unpack(event))
if refusal then
  return refusal
end

for _, field in ipairs(gone) do
  redis.call('HDEL', COUNTS, field)
end
redis.call('HSET', COUNTS, 'version', whole(version), 'op', op, 'seq', whole(seq), 'at', whole(at),
  unpack(counters, 1, math.min(#counters, AT_ONCE)))
for i = AT_ONCE + 1, #counters, 2 do
  redis.call('HSET', COUNTS, counters[i], counters[i + 1])
end
redis.call('HSET', USERS, 'u:' .. user, whole(seq) .. US .. table.concat(own_after, US))
redis.call('HSET', META, 'seq', whole(seq))
if config > config_in_force then
  redis.call('HSET', META, 'config', whole(config))
end
redis.call('PERSIST', COUNTS)
redis.call('PERSIST', USERS)
if key ~= '' then
  redis.call('SET', IN_HAND, request .. ' ' .. epoch .. ' ' .. whole(seq), 'PX', in_hand_ms)
end
if users[2] == '1' then
  if redis.call('HLEN', USERS) - 3 > crowd then
    redis.call('HSET', USERS, 'complete', '0')
  end
else
  trim_users(META, USERS, bound, {[user] = true}, 4)
end

return {
  changes > 0 and 'APPLIED' or 'UNCHANGED', whole(seq), whole(version),
  table.concat(added, US), table.concat(removed, US),
  with_state and flat_counters() or '', table.concat(own_after, US)
}
