-- Precedes every script. RedisSchema.java describes the keys and the form of their values.

local US = '\31' -- separates the items of a list inside a value; no id contains it
local PART = '\30' -- separates lists inside an argument or an answer; no id contains it either

local function split(list)
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
  return string.format('%.0f', number)
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

-- True when the server and the epoch are the ones that the caller attached to, and the server is the
-- master. A run checks each partition once, before its first write.
local opened = {}
local function fence_holds(meta_key, epoch, incarnation_expected)
  local meta = opened[meta_key] or redis.call('HMGET', meta_key, 'epoch', 'incarnation')
  opened[meta_key] = meta
  return meta[1] == epoch and meta[2] == incarnation_expected and incarnation() == incarnation_expected
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
local function trim_users(meta_key, users_key, bound, keep, most)
  local excess = redis.call('HLEN', users_key) - bound
  if excess <= 0 then
    return
  end
  local acked = tonumber(redis.call('HGET', meta_key, 'acked') or '0')
  excess = math.min(excess, most)
  local sample = redis.call('HRANDFIELD', users_key, excess + 16, 'WITHVALUES')
  for i = 1, #sample, 2 do
    local field = sample[i]
    local kind = string.sub(field, 1, 2)
    local known = kind == 'u:' and not keep[string.sub(field, 3)]
    if excess > 0 and (kind == 'l:' or known and tonumber(string.match(sample[i + 1], '^%d+')) <= acked) then
      redis.call('HDEL', users_key, field)
      excess = excess - 1
    end
  end
end
