-- Precedes every script. RedisSchema.java describes the keys and the form of their values.

local US = '\31' -- separates the items of a list inside a value; no id contains it
local PART = '\30' -- separates lists inside an argument or an answer; no id contains it either

local function split(list)
  if not string.find(list, US, 1, true) then
    return list == '' and {} or {list}
  end
  local items = {}
  for item in string.gmatch(list, '[^' .. US .. ']+') do
    items[#items + 1] = item
  end
  return items
end

local function contains(items, wanted)
  for _, item in ipairs(items) do
    if item == wanted then
      return true
    end
  end
  return false
end

-- Returns the members of an outbox entry by name.
local function members(entry)
  local found = {}
  for name, value in string.gmatch(entry[2][2] .. PART, '(.-)' .. PART .. '(.-)' .. PART) do
    found[name] = value
  end
  return found
end

-- Lua's tostring would write large numbers with an exponent.
local function whole(number)
  return string.format('%d', number)
end

-- The replication id of this server while it is a master, otherwise ''.
local function replication_id()
  local info = redis.call('INFO', 'replication')
  if not string.find(info, 'role:master', 1, true) then
    return ''
  end
  return string.match(info, 'master_replid:(%w+)') or ''
end

-- The same, read once in a run: a script is one step, in which the id cannot change.
local server
local function incarnation()
  server = server or replication_id()
  return server
end

-- The incarnation of a node of a Redis Cluster begins with this sign.
local NODE = '@'

local function is_here(incarnation_expected)
  return incarnation() == incarnation_expected or NODE .. incarnation() == incarnation_expected
end

-- False when this node of a Redis Cluster does not serve the slot of a partition, or is giving it away. Then
-- it refuses commands for keys that it lacks, at any place of a script, so that a change would be torn. A key
-- that never exists shows it before the first write. A server without a cluster serves all partitions.
local steady = {}
local function is_steady(meta_key, incarnation_expected)
  if string.sub(incarnation_expected, 1, 1) ~= NODE then
    return true
  end
  if steady[meta_key] == nil then
    local reply = redis.pcall('GET', meta_key .. ':none')
    steady[meta_key] = not (type(reply) == 'table' and reply.err)
  end
  return steady[meta_key]
end

-- True when the server and the epoch are the ones that the caller attached to, and the server is the
-- master. A run checks each partition once, before its first write, and reads the given further fields of its
-- meta with it: the third and later items of `opened`.
local opened = {}
local function fence_holds(meta_key, epoch, incarnation_expected, ...)
  if not is_steady(meta_key, incarnation_expected) then
    return false
  end
  local meta = opened[meta_key] or redis.call('HMGET', meta_key, 'epoch', 'incarnation', ...)
  opened[meta_key] = meta
  return meta[1] == epoch and meta[2] == incarnation_expected and is_here(incarnation_expected)
end

-- Makes the first write of a script, the one that may be refused (at maxmemory, or with MISCONF).
-- Returns nothing, or the refusal as an error reply that begins with its code and proves that nothing
-- changed. Servers before 7 put the code inside a sentence when the script raises the error instead.
local function refused(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then
    return {err = (string.gsub(reply.err, '^@user_script: ?%d+: %-?', ''))}
  end
end

-- A dirty key carries no TTL.
local function dirty(key)
  return redis.call('PTTL', key) == -1
end

-- Takes the lease of an entity for `token`, also from the holder named `stale`; returns the holder.
-- With the token '' nothing is taken.
-- At maxmemory the lease is refused, which must not fail a read: then the lease has no holder.
local function take_lease(lease_key, token, milliseconds, stale)
  local holder = redis.call('GET', lease_key)
  if holder and holder ~= stale then
    return holder
  end
  if token == '' then
    return ''
  end
  local taken = redis.pcall('SET', lease_key, token, 'PX', milliseconds)
  if taken.err then
    return ''
  end
  return token
end

-- The same for one user of a partially loaded entity: a field beside the user's own. A field has no
-- TTL. Therefore it holds the token and the end of the lease by the caller's clock. Different clocks cost
-- at most a second look-up, because only the holder that the field names may install.
local function take_user_lease(users_key, user, token, milliseconds, stale, now)
  local lease = redis.call('HGET', users_key, 'l:' .. user)
  if lease then
    local holder, ends = string.match(lease, '^(.*)' .. US .. '(%d+)$')
    if holder ~= stale and now <= tonumber(ends) then
      return holder
    end
  end
  if token == '' then
    return ''
  end
  local value = token .. US .. whole(now + milliseconds)
  local taken = redis.pcall('HSET', users_key, 'l:' .. user, value)
  if type(taken) == 'table' and taken.err then
    return ''
  end
  return token
end

-- Whether `token` holds the lease of a user, given the value of its field.
local function holds_user_lease(lease, token)
  return lease and string.match(lease, '^(.*)' .. US .. '%d+$') == token
end

-- Keeps a partial user hash within `bound` fields. It drops some users, but never one with a change that
-- is not known to be committed, nor one in the set `keep`. It also drops some leases: without its lease
-- a look-up is not installed, with no further harm. At most `most` users leave at a time, because a
-- dropped user may have been looked up for another write, which must then look the user up again.
-- Nothing is done until `slack` fields are too many, so that many changes share the cost.
local function trim_users(meta_key, users_key, bound, keep, most, slack)
  local excess = redis.call('HLEN', users_key) - bound
  if excess <= slack then
    return
  end
  local acked = tonumber(redis.call('HGET', meta_key, 'acked') or '0')
  excess = math.min(excess, most)
  local sample = redis.call('HRANDFIELD', users_key, excess + 16, 'WITHVALUES')
  local gone = {}
  for i = 1, #sample, 2 do
    local field = sample[i]
    local kind = string.sub(field, 1, 2)
    local known = kind == 'u:' and not keep[string.sub(field, 3)]
    if #gone < excess and (kind == 'l:' or known and tonumber(string.match(sample[i + 1], '^%d+')) <= acked) then
      gone[#gone + 1] = field
    end
  end
  if #gone > 0 then
    redis.call('HDEL', users_key, unpack(gone))
  end
end

-- A filter holds 4 bits of each user who may have a reaction on a partially loaded entity: a header of
-- text, then words of 64 bits, in one of which all bits of a user are. The header names form, state,
-- epoch, number of words, seq at the beginning, the caller's time of the last step (ms) and the id by
-- which the user hash names the filter. The states are b (begun; changes proposed before may be
-- uncommitted), r (rows of Postgres are being added) and c (complete). Bits are set in every state.
-- Only a complete filter proves that a user whose bits are not all set has no reaction.
local FILTER_HEADER = 128        -- bytes
local FILTER_WORDS = 8192        -- of the smallest filter: 64 KB
local FILTER_MOST_WORDS = 262144 -- of the largest filter: 2 MB
local FILTER_LOAD = 4            -- users for each word, at most, until a filter must be larger

-- Reads the header of the filter that a user hash names. Returns nothing when the key is missing, or is
-- of another type, form, epoch or id.
local function filter_header(key, epoch, id)
  local text = id and redis.pcall('GETRANGE', key, 0, FILTER_HEADER - 1)
  if type(text) ~= 'string' then
    return nil
  end
  local state, of_epoch, words, from, touched, of_id = string.match(text, '^1 (%a) (%d+) (%d+) (%d+) (%d+) (%S+) *$')
  if of_epoch ~= epoch or of_id ~= id then
    return nil
  end
  return {
    complete = state == 'c', state = state, epoch = epoch, words = tonumber(words), from = from,
    touched = tonumber(touched), id = id
  }
end

local function filter_header_text(filter)
  local text = table.concat(
    {'1', filter.state, filter.epoch, whole(filter.words), filter.from, whole(filter.touched), filter.id}, ' ')
  return text .. string.rep(' ', FILTER_HEADER - #text)
end

-- Returns the offset of a user's word, and the word with the user's bits set: false when they are set
-- already, nil when the filter has no such word.
local function filter_word(key, filter, user)
  local digest = redis.sha1hex(user)
  local at = FILTER_HEADER + 8 * (tonumber(string.sub(digest, 1, 8), 16) % filter.words)
  local bytes = {string.byte(redis.call('GETRANGE', key, at, at + 7), 1, 8)}
  if #bytes < 8 then
    return at, nil
  end
  local changed = false
  for i = 9, 15, 2 do
    local n = tonumber(string.sub(digest, i, i + 1), 16) % 64
    local byte, mask = math.floor(n / 8) + 1, bit.lshift(1, n % 8)
    if bit.band(bytes[byte], mask) == 0 then
      bytes[byte] = bytes[byte] + mask
      changed = true
    end
  end
  return at, changed and string.char(unpack(bytes))
end

-- Sets the bits of users. The key must hold the filter.
local function filter_put(key, filter, users, from)
  for i = from, #users do
    local at, word = filter_word(key, filter, users[i])
    if word then
      redis.call('SETRANGE', key, at, word)
    end
  end
end

-- Writes an empty filter. It lives as long as the user hash, which must name it.
local function filter_write(key, filter, users_key)
  redis.call('UNLINK', key)
  redis.call('SETRANGE', key, FILTER_HEADER + 8 * filter.words - 1, '\0')
  redis.call('SETRANGE', key, 0, filter_header_text(filter))
  local ttl = redis.call('PTTL', users_key)
  if ttl >= 0 then
    redis.call('PEXPIRE', key, math.max(1, ttl))
  end
end

-- The words of a filter for a number of users; nil when there are too many.
local function filter_words(users)
  if users > 4 * FILTER_LOAD * FILTER_MOST_WORDS then
    return nil
  end
  local words = FILTER_WORDS
  while words * FILTER_LOAD < users and words < FILTER_MOST_WORDS do
    words = 2 * words
  end
  return words
end
