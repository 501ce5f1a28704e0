-- Judges changes, each of one user on one entity, one after the other. It appends each change that the
-- rules allow to the outbox and applies it to the hot state. The run is one step, but each change is
-- judged alone, on the state that the changes before it have left.
--
-- Returns one text for each change, in their order. Its parts are separated by U+001E; the first is
--   FENCED              this is not the server or the epoch that the caller attached to
--   STALE_CONFIG        rules newer than the caller's are in force
--   FULL                the outbox has reached its cap
--   IN_FLIGHT           a request with the same idempotency key is in flight
--   MISS, holder        the entity is not loaded, or without times that the constraints need; the holder of its
--                       lease (the caller, or another)
--   USER_MISS, holder   the same for the user of a partially loaded entity; instead of a holder, the seq of
--                       the user's change that must be acknowledged before the user can be looked up
--   OTHER, seq, version, op, counters, own
--                       the entity is not in the state that the caller demands, but in this one
--   EXISTS, seq         the user already has the reaction
--   CLOSED, seq, id     the season of the reaction has ended, or the user is not in its audience
--   UNKNOWN, seq, id    the set has no such reaction, and the user has not kept it from before
--   CONFLICT, seq, ids, id
--                       the reactions that exclude the addition of id: the user's own, or added with it
--   LIMIT, seq          one more kind would break max_uniq_reactions
--   TOO_MANY, seq       the user would have more reactions of the set than max_reactions_per_user
--   CONSTRAINT, seq, n  constraint n of the namespace, from 1, refuses the change, or cannot be evaluated
--   LOCKED, seq         the entity is locked against the addition
--   UNCHANGED or APPLIED, seq, version, added, removed, counters, own, event
--   FAILED, error       this change alone failed; when the server refuses the event, nothing of the
--                       change is done and the error begins with the server's code
--   LATER               not processed, because earlier changes reached MOST_READ; nothing changed
-- Here seq is the outbox event on which the answer depends (0: on none), counters a flat list of
-- reaction, count, first, last (of a change only on demand), and own the user's reactions. Lists are
-- joined. A '!' before the first part says that the entity is locked, a '~' that a filter made a look-up of
-- the user unnecessary, a '+' that the entity turned partial and its filter is complete. The event is the
-- text that was appended to the outbox, whose members U+001E separates as well; it is missing when nothing
-- was appended.
--
-- No KEYS: the script makes the names of its keys of partition, namespace, entity, user and idempotency
-- key, because a name costs the caller and the server more as an argument than all of its uses.
-- ARGV
local outbox_cap = tonumber(ARGV[1]) -- events
local crowd      = tonumber(ARGV[2]) -- users above which a hash becomes partial
local bound      = tonumber(ARGV[3]) -- fields above which a partial hash loses users, 16 or more together
local lease_ms   = tonumber(ARGV[4]) -- milliseconds
local in_hand_ms = ARGV[5]           -- milliseconds
local now_ms     = tonumber(ARGV[6]) -- the caller's clock for leases, milliseconds since 1970
-- ARGV[7]: what changes share, each once: partition, epoch and incarnation of the caller's fence
local FENCE = '([^\30]*)\30([^\30]*)\30([^\29]*)\29'
-- ARGV[8]: the same for rules
--   configuration version; 0 when no rules apply
--   max_uniq_reactions
--   max_reactions_per_user; -1 for no limit
--   o: the set is open; t: the constraints need the time of the user's last reaction; and the number of
--     the namespace's constraints in ARGV[10…], from 1
--   keys of the set of the namespace, joined, with a separator at both ends; '' for none
--   groups of keys that exclude each other, joined by U+001E
local RULES = string.rep('([^\30]*)\30', 5) .. '([^\29]*)\29'
-- ARGV[9]: the changes
--   number of its fence above, and of its rules, from 1
--   id of this operation
--   microseconds since 1970
--   namespace, entity, user
--   add | remove | put: these are all that the user will have
--   keys of the reactions, each once, joined; behind U+001C the form of one that has it
--   f: remove what excludes it; e: adding an existing reaction changes nothing instead of EXISTS;
--     s: with counters; c: the change that the state must include is committed
--   token of the caller, for a lease
--   the rest, '' when all its parts are empty
local CHANGE = string.rep('([^\30]*)\30', 11) .. '([^\29]*)\29'
-- The rest of a change
--   holder of an abandoned lease, or ''
--   idempotency key, or ''
--   hash of the request, or ''
--   id of the request, the same for all its attempts, or ''
--   version and op of the only state to judge on, joined; or ''
--   seq of a change that the state must include, or 0
--   attributes of the request, where constraints read some: names and values in turn, joined; or ''
--   reactions with an end of their season, joined with it, in milliseconds since 1970; 0 for one that the
--     user cannot add
--   traceparent of a request that is traced, or ''
local REST = string.rep('([^\30]*)\30', 5) .. '(%d+)\30?([^\30]*)\30?([^\30]*)\30?([^\30]*)'
-- ARGV[10…]: the constraints of a namespace, as constraints.lua reads them
local PROGRAMS = 9

local UNREACTED = '0-' -- as in UniqueNames
local AT_ONCE = 100 -- items of a list as arguments of one call; some thousands would raise an error
local MOST_READ = 5000 -- fields that a run reads of whole hashes; then it leaves the other changes for later

local FORM = '\28' -- separates a reaction of a user from its form; no id contains it

local TRIM_FROM = 15 -- more fields than this beyond the bound are removed together
local TRIM_MOST = 64 -- fields removed together

-- Takes the forms off the items of a list, and returns each item that has one by its reaction.
local function take_forms(items)
  local whole_items = {}
  for i, item in ipairs(items) do
    local at = string.find(item, FORM, 1, true)
    if at then
      items[i] = string.sub(item, 1, at - 1)
      whole_items[items[i]] = item
    end
  end
  return whole_items
end

local function with_forms(items, whole_items)
  local list = {}
  for i, item in ipairs(items) do
    list[i] = whole_items[item] or item
  end
  return list
end

local notes = '' -- what precedes the answer to the present change

local fields_read = 0
local function fields(command, hash)
  local all = redis.call(command, hash)
  fields_read = fields_read + #all
  return all
end

-- Data of a partition, read once in a run, with its fence: seq, config and acked of its meta. The run writes
-- its changes of these values once, when all changes are judged.
local partitions = {}
local function partition(META)
  local at = partitions[META]
  if not at then
    local meta = opened[META]
    at = {
      seq = tonumber(meta[3] or '0'), config = tonumber(meta[4] or '0'), acked = tonumber(meta[5] or '0'), moved = false
    }
    partitions[META] = at
  end
  return at
end

-- All users of the entity are in its hash now, so a filter of them is complete.
local function turn_partial(USERS, FILTER, epoch, seq)
  local users = {}
  for _, field in ipairs(fields('HKEYS', USERS)) do
    users[#users + 1] = string.match(field, '^u:(.*)$')
  end
  local words = filter_words(#users)
  redis.call('HSET', USERS, 'complete', '0')
  if not words then
    return false
  end
  local filter = {state = 'c', epoch = epoch, words = words, from = seq, touched = now_ms, id = 's' .. seq}
  -- The event is appended: a server whose rights lack a command of filters must not end the change here.
  local written = pcall(function()
    filter_write(FILTER, filter, USERS)
    filter_put(FILTER, filter, users, 1)
  end)
  if written then
    redis.call('HSET', USERS, 'filter', filter.id)
    fields_read = fields_read + MOST_READ -- bits of a thousand users take a few milliseconds: end the run
  end
  return written
end

-- Answers for a user whose reactions are known without the time of the last one. A clean entity is loaded
-- anew, with the times of all its users. An entity that holds uncommitted changes of others cannot be loaded:
-- then this user alone is looked up. Postgres has the time once all changes of the user are committed.
local function without_time(fence, name, COUNTS, USERS, FILTER, user, user_seq, partial, token, stale)
  local here = partition(fence.meta)
  if tonumber(user_seq) > here.acked then
    return {'USER_MISS', user_seq}
  end
  if not partial and not dirty(COUNTS) and not dirty(USERS) then
    return {'MISS', take_lease(fence.tag .. 'l:' .. name, token, lease_ms, stale)}
  end
  local refusal = refused('HSET', fence.meta, 'epoch', fence.epoch) -- changes nothing
  if refusal then
    return refusal
  end
  if not partial and turn_partial(USERS, FILTER, fence.epoch, whole(here.seq)) then
    notes = notes .. '+'
  end
  redis.call('HDEL', USERS, 'u:' .. user)
  return {'USER_MISS', take_user_lease(USERS, user, token, lease_ms, stale, now_ms)}
end

local function flat_counters(COUNTS)
  local flat = {}
  local all = fields('HGETALL', COUNTS)
  for i = 1, #all, 2 do
    local id = string.match(all[i], '^r:(.*)$')
    if id then
      flat[#flat + 1] = id .. US .. all[i + 1]
    end
  end
  return table.concat(flat, US)
end

-- Returns the reactions of a set that exclude one reaction.
local function rivals(id, exclusive, set)
  local found = {}
  for _, group in ipairs(exclusive) do
    if contains(group, id) then
      for _, other in ipairs(group) do
        if other ~= id and set[other] and not contains(found, other) then -- groups may overlap
          found[#found + 1] = other
        end
      end
    end
  end
  return found
end

local function react(
  fence, rules, op, now, namespace, entity, user, kind, wanted, flags,
  token, stale, key, request_hash, request, state, after, attributes, ends, trace)
  local META, OUTBOX, epoch, name = fence.meta, fence.outbox, fence.epoch, namespace .. ':' .. entity
  local COUNTS, USERS, FILTER = fence.tag .. 'c:' .. name, fence.tag .. 'u:' .. name, fence.tag .. 'b:' .. name
  local IN_HAND = key ~= '' and fence.tag .. 'i:' .. namespace .. ':' .. user .. US .. key
  local config, limit, limit_of_user, live = rules.config, rules.limit, rules.limit_of_user, rules.live
  now, after = tonumber(now), tonumber(after)
  wanted = split(wanted)
  local given = take_forms(wanted)
  local force = string.find(flags, 'f', 1, true)
  local existing_fine = string.find(flags, 'e', 1, true)
  local with_state = string.find(flags, 's', 1, true)

  if not fence_holds(META, epoch, fence.incarnation, 'seq', 'config', 'acked') then
    return {'FENCED'}
  end
  local here = partition(META)
  if config > 0 and config < here.config then
    return {'STALE_CONFIG'}
  end
  if here.seq - here.acked >= outbox_cap then
    return {'FULL'}
  end
  if key ~= '' then
    -- Ends when its event is acknowledged (Postgres has the answer, or rejected it) or of another epoch.
    local owner, of_epoch, of_seq = string.match(redis.call('GET', IN_HAND) or '', '^(.*) (%d+) (%d+)$')
    if owner and owner ~= request and of_epoch == epoch and tonumber(of_seq) > here.acked then
      return {'IN_FLIGHT'}
    end
  end

  local first_wanted = wanted[1] or ''
  local marks = redis.call(
    'HMGET', COUNTS, 'epoch', 'version', 'op', 'seq', 'at', 'r:' .. first_wanted, 'since', 'people', 'lock')
  local users = redis.call('HMGET', USERS, 'epoch', 'complete', 'u:' .. user, 'filter')
  if marks[1] ~= epoch or users[1] ~= epoch or not marks[8] then
    return {'MISS', take_lease(fence.tag .. 'l:' .. name, token, lease_ms, stale)}
  end
  local lock = marks[9]
  if lock then
    notes = '!'
  end
  local partial = users[2] ~= '1'
  local filter, word_at, word
  if partial and (not users[3] or kind ~= 'remove') then
    filter = filter_header(FILTER, epoch, users[4])
    if filter then
      word_at, word = filter_word(FILTER, filter, user)
    end
  end
  local unseen = partial and not users[3]
  if unseen then
    if not (word and filter.complete) then
      return {'USER_MISS', take_user_lease(USERS, user, token, lease_ms, stale, now_ms)}
    end
    notes = notes .. '~'
  end

  local own, user_seq, last_reacted_at = {}, '0', nil
  if users[3] then
    own = split(users[3])
    user_seq = table.remove(own, 1)
    local behind = string.find(user_seq, FORM, 1, true)
    if behind then
      last_reacted_at = tonumber(string.sub(user_seq, behind + 1))
      user_seq = string.sub(user_seq, 1, behind - 1)
    elseif rules.times and #own > 0 then
      return without_time(fence, name, COUNTS, USERS, FILTER, user, user_seq, partial, token, stale)
    end
  end
  local kept_forms = take_forms(own)

  local demanded = state == '' or state == marks[2] .. US .. marks[3]
  -- A state that was installed after that change may lack it, even when its seq is greater.
  local includes = after == 0 or (tonumber(marks[4]) >= after and tonumber(marks[7] or '0') < after)
  if not includes and string.find(flags, 'c', 1, true) and here.acked >= after then
    -- The acknowledgement of that change removed each state without it, except one with a later change.
    -- Postgres rejects that later change, so the answer depends on it.
    includes, user_seq = true, marks[4]
  end
  if not (demanded and includes) then
    return {
      'OTHER', marks[4], marks[2], marks[3], flat_counters(COUNTS),
      table.concat(with_forms(own, kept_forms), US)
    }
  end

  -- Judge. `removed` are the reactions to remove, `added` the ones to add, `kept` the others.
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
    kept = {} -- unlisted reactions are removed first; the rules judge the rest
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

  -- The clock of the sending instance: the proposal may have waited for a load since its rule check.
  if ends ~= '' then
    local by_id = {}
    for id, ms in string.gmatch(ends, '([^' .. US .. ']+)' .. US .. '(%d+)') do
      by_id[id] = tonumber(ms)
    end
    for _, id in ipairs(added) do
      local closes = by_id[id]
      if closes and now_ms >= closes then
        return {'CLOSED', user_seq, id}
      end
    end
  end

  if lock then
    for _, id in ipairs(added) do
      if not string.find(lock, PART .. id .. PART, 1, true) then
        return {'LOCKED', marks[4]}
      end
    end
  end

  if force or #rules.exclusive > 0 then
    local afterwards = {} -- as a set, the user's reactions after the change
    for _, list in ipairs({kept, added}) do
      for _, id in ipairs(list) do
        afterwards[id] = true
      end
    end
    for _, id in ipairs(added) do
      local conflicting = rivals(id, rules.exclusive, afterwards)
      if #conflicting > 0 and not force then
        return {'CONFLICT', user_seq, table.concat(conflicting, US), id}
      end
      if force then
        removed = conflicting
      end
    end
  end

  -- The present count, first and last of a reaction; the times are texts.
  local present = {}
  local function counter(id)
    local c = present[id]
    if not c then
      local value = marks[6]
      if id ~= first_wanted then
        value = redis.call('HGET', COUNTS, 'r:' .. id)
      end
      local count, first, last = string.match(value or '0\0310\0310', '^(%d+)\31(%d+)\31(%d+)$')
      c = {tonumber(count), first, last}
      present[id] = c
    end
    return c
  end

  -- Retired reactions take no place; an open set has none.
  local function takes_place(id)
    return rules.open or string.find(live, US .. id .. US, 1, true)
  end

  -- The kinds of the set that the entity will show after the removals.
  local function kinds_left()
    local kinds = 0
    for _, field in ipairs(fields('HKEYS', COUNTS)) do
      local id = string.match(field, '^r:(.*)$')
      if id and takes_place(id) then
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
    if limit_of_user >= 0 then
      local places = #added
      for _, id in ipairs(own) do
        if takes_place(id) and not contains(removed, id) then
          places = places + 1
        end
      end
      if places > limit_of_user then
        return {'TOO_MANY', user_seq}
      end
    end
  end

  local changes = #added + #removed
  if rules.constraints and changes > 0 then
    local refusing, steps = refusing_constraint(rules.constraints, {
      op = kind, now = now, added = added, removed = removed, ['user.id'] = user, ['user.reactions'] = own,
      ['user.last_reacted_at'] = last_reacted_at, ['entity.id'] = entity, attributes = attributes,
      counters = function()
        return fields('HGETALL', COUNTS)
      end
    })
    fields_read = fields_read + steps / 4 -- a long judgement ends the run
    if refusing then
      return {'CONSTRAINT', marks[4], refusing}
    end
  end
  if changes == 0 and key == '' then
    return {
      'UNCHANGED', user_seq, marks[2], '', '',
      with_state and flat_counters(COUNTS) or '', table.concat(with_forms(own, kept_forms), US)
    }
  end

  -- Decide everything before the first write: there is no roll-back.
  local seq = whole(here.seq + 1)
  local at = math.max(now, tonumber(marks[5]) + 1)
  local at_text = whole(at)
  local version = tonumber(marks[2])
  if changes > 0 then
    version = version + 1
  end
  version = whole(version)
  if changes == 0 and string.sub(marks[3], 1, #UNREACTED) == UNREACTED then
    op = UNREACTED .. op -- the entity still was never reacted to
  end

  local counters = {} -- flat list of field, value for the counters that the entity still shows
  local gone = {}     -- fields of the counters that it shows no more
  local touched = {}  -- flat list of reaction, count, first, last
  local function touch(id, step)
    local c = counter(id)
    local count, first, last = c[1] + step, c[2], c[3]
    if step > 0 then
      first = c[1] == 0 and at_text or first
      last = at_text
    end
    local value = whole(count) .. US .. first .. US .. last
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
      own_after[#own_after + 1] = kept_forms[id] or id
    end
  end
  for _, id in ipairs(removed) do
    touch(id, -1)
  end
  for _, id in ipairs(added) do
    touch(id, 1)
    own_after[#own_after + 1] = given[id] or id
  end
  -- The user's first reaction adds one to the people of the entity, the last one taken back removes one.
  local people = tonumber(marks[8]) + math.min(1, #own_after) - math.min(1, #own)

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
    'v', version,
    'cnt', table.concat(touched, US),
    'at', at_text,
    'cfg', rules.version
  }
  local forms = {}
  for _, id in ipairs(added) do
    forms[#forms + 1] = given[id]
  end
  if #forms > 0 then
    event[#event + 1] = 'fm'
    event[#event + 1] = table.concat(forms, US)
  end
  if trace ~= '' then
    event[#event + 1] = 'tp'
    event[#event + 1] = trace
  end
  if key ~= '' then
    -- The answer must be in the event, which is written before the state: so compute the state now.
    local counted = split(flat_counters(COUNTS))
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
    if lock then
      event[#event + 1] = 'lk'
      event[#event + 1] = '1'
    end
  end

  -- The first write is the one that may be refused at maxmemory; no later write fails.
  local text = table.concat(event, PART)
  local refusal = refused('XADD', OUTBOX, epoch .. '-' .. seq, 'e', text)
  if refusal then
    return refusal
  end
  here.seq = here.seq + 1
  here.config = math.max(here.config, config)
  here.moved = true

  for _, field in ipairs(gone) do
    redis.call('HDEL', COUNTS, field)
  end
  redis.call('HSET', COUNTS, 'version', version, 'op', op, 'seq', seq, 'at', at_text, 'people', whole(people),
    unpack(counters, 1, math.min(#counters, AT_ONCE)))
  for i = AT_ONCE + 1, #counters, 2 do
    redis.call('HSET', COUNTS, counters[i], counters[i + 1])
  end
  if (rules.times or last_reacted_at) and #added > 0 then
    last_reacted_at = at -- a stored time stays true, also under rules that do not read it
  end
  redis.call('HSET', USERS, 'u:' .. user,
    seq .. (last_reacted_at and FORM .. whole(last_reacted_at) or '') .. US .. table.concat(own_after, US))
  if unseen then
    redis.call('HDEL', USERS, 'l:' .. user) -- a look-up from before the filter was complete is out of date
  end
  redis.call('PERSIST', COUNTS)
  redis.call('PERSIST', USERS)
  if partial and users[4] then
    redis.call('PERSIST', FILTER)
    if #added > 0 then
      if word then
        redis.call('SETRANGE', FILTER, word_at, word)
      elseif word == nil then
        redis.call('HDEL', USERS, 'filter') -- it lacks this user: so it must never count again
        redis.call('UNLINK', FILTER)
      end
    end
  end
  if key ~= '' then
    redis.call('SET', IN_HAND, request .. ' ' .. epoch .. ' ' .. seq, 'PX', in_hand_ms)
  end
  if partial then
    trim_users(META, USERS, bound, {[user] = true}, TRIM_MOST, TRIM_FROM)
  elseif redis.call('HLEN', USERS) - 3 > crowd then
    if turn_partial(USERS, FILTER, epoch, seq) then
      notes = notes .. '+'
    end
  end

  return {
    changes > 0 and 'APPLIED' or 'UNCHANGED', seq, version,
    table.concat(with_forms(added, given), US), table.concat(removed, US),
    with_state and flat_counters(COUNTS) or '', table.concat(own_after, US), text
  }
end

local fences = {}
for p, epoch, incarnation_ in string.gmatch(ARGV[7], FENCE) do
  local tag = '{' .. p .. '}:'
  fences[#fences + 1] =
    {tag = tag, meta = tag .. 'meta', outbox = tag .. 'outbox', epoch = epoch, incarnation = incarnation_}
end
local rules = {}
for version, limit, limit_of_user, open, live, groups in string.gmatch(ARGV[8], RULES) do
  local exclusive = {}
  for group in string.gmatch(groups, '[^' .. PART .. ']+') do
    exclusive[#exclusive + 1] = split(group)
  end
  local constraints = open ~= '' and string.match(open, '%d+$')
  rules[#rules + 1] = {
    constraints = constraints and ARGV[PROGRAMS + tonumber(constraints)],
    times = open ~= '' and string.find(open, 't', 1, true),
    version = version, config = tonumber(version), limit = tonumber(limit),
    limit_of_user = tonumber(limit_of_user), open = string.sub(open, 1, 1) == 'o', live = live, exclusive = exclusive
  }
end

local function react_nth(fence, rule, op, now, namespace, entity, user, kind, wanted, flags, token, rest)
  local stale, key, request_hash, request, state, after, attributes, ends, trace = '', '', '', '', '', '0', '', '', ''
  if rest ~= '' then
    stale, key, request_hash, request, state, after, attributes, ends, trace = string.match(rest, REST)
  end
  notes = ''
  local answer = react(
    fences[tonumber(fence)], rules[tonumber(rule)], op, now, namespace, entity, user, kind, wanted, flags,
    token, stale, key, request_hash, request, state, after, attributes, ends, trace)
  return answer.err and 'FAILED' .. PART .. answer.err or notes .. table.concat(answer, PART)
end

local answers = {}
for fence, rule, op, now, namespace, entity, user, kind, wanted, flags, token, rest in string.gmatch(ARGV[9], CHANGE) do
  local answer = 'LATER'
  if fields_read <= MOST_READ then
    local fine, judged =
      pcall(react_nth, fence, rule, op, now, namespace, entity, user, kind, wanted, flags, token, rest)
    answer = fine and judged or 'FAILED' .. PART .. (type(judged) == 'table' and judged.err or tostring(judged))
  end
  answers[#answers + 1] = answer
end
for META, at in pairs(partitions) do
  if at.moved then
    redis.call('HSET', META, 'seq', whole(at.seq), 'config', whole(at.config))
  end
end
return answers
