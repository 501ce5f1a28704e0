-- Precedes react.lua: evaluates the constraints that a configuration writes in CEL. A constraint is a
-- program in prefix form, from the translator of the rules: tokens, each a letter and an argument. No
-- text of a program or of a request becomes code. Each token counts as a step, also each element of a
-- list that is compared; steps are bounded. Whatever fails, refuses.
--
-- Values: numbers (times and durations are microseconds), texts, booleans, lists, NULL, and ERROR, which
-- `&&`, `||` and loops absorb as CEL does. Both sides are always evaluated: neither has an effect.

local MOST_STEPS = 20000 -- of one constraint; the translator allows half of it for lists of usual size

-- Returns the number of the first constraint that refuses a change, or nil.
--
-- `programs`: the constraints, separated by U+001E; the first token of each is r (taking back is judged)
-- or -. `change`: op, now, user, entity, added, removed, own (reactions), last (time of the user's last
-- reaction, or nil), attributes (name and value in turn, joined), and `counters`, which returns the fields
-- of the count hash.
local function refusing_constraint(programs, change)
  local ERROR, NULL = {}, {}
  local tokens, at, steps
  local locals, depth = {}, 0
  local evaluate

  local count_of
  local function counts()
    if not count_of then
      count_of = {of = {}, keys = {}, total = 0, first = NULL, last = NULL}
      local all = change.counters()
      for i = 1, #all, 2 do
        local id = string.match(all[i], '^r:(.*)$')
        if id then
          local count, first, last = string.match(all[i + 1], '^(%d+)\31(%d+)\31(%d+)$')
          count, first, last = tonumber(count), tonumber(first), tonumber(last)
          count_of.of[id] = count
          count_of.keys[#count_of.keys + 1] = id
          count_of.total = count_of.total + count
          count_of.first = count_of.first == NULL and first or math.min(count_of.first, first)
          count_of.last = count_of.last == NULL and last or math.max(count_of.last, last)
        end
      end
    end
    return count_of
  end

  local attributes
  local function attribute(name)
    if not attributes then
      attributes = {}
      local given = split(change.attributes)
      local i = 1
      while i < #given do
        local kind, value = string.sub(given[i + 1], 1, 1), string.sub(given[i + 1], 2)
        local key = given[i]
        i = i + 2
        if kind == 'i' then
          attributes[key] = tonumber(value)
        elseif kind == 's' then
          attributes[key] = value
        elseif kind == 'b' then
          attributes[key] = value == 't'
        elseif kind == 'l' then
          local list = {}
          for j = 1, tonumber(value) do
            list[j] = string.sub(given[i], 2)
            i = i + 1
          end
          attributes[key] = list
        end
      end
    end
    return attributes[name]
  end

  local function variable(name)
    if name == 'op' then
      return change.op
    elseif name == 'now' then
      return change.now
    elseif name == 'added' then
      return change.added
    elseif name == 'removed' then
      return change.removed
    elseif name == 'user.id' then
      return change.user
    elseif name == 'user.reactions' then
      return change.own
    elseif name == 'user.last_reacted_at' then
      return change.last or NULL
    elseif name == 'entity.id' then
      return change.entity
    elseif name == 'entity.counts' then
      return counts().of
    elseif name == 'entity.kinds' then
      return #counts().keys
    elseif name == 'entity.total' then
      return counts().total
    elseif name == 'entity.first_reacted_at' then
      return counts().first
    elseif name == 'entity.last_reacted_at' then
      return counts().last
    end
    return ERROR
  end

  local function spend(more)
    steps = steps + more
    if steps > MOST_STEPS then
      error('too many steps')
    end
  end

  local function calculate(code, a, b)
    if type(a) ~= 'number' or type(b) ~= 'number' then
      return ERROR
    elseif code == '<' then
      return a < b
    elseif code == 'l' then
      return a <= b
    elseif code == '+' then
      return a + b
    elseif code == '-' then
      return a - b
    elseif code == '*' then
      return a * b
    elseif b == 0 then
      return ERROR
    elseif code == '/' then
      return (a - math.fmod(a, b)) / b -- towards 0, exact
    end
    return math.fmod(a, b) -- the sign of a
  end

  local function compare(code, a, b)
    if a == ERROR or b == ERROR then
      return ERROR
    elseif code == '=' then
      return a == b
    elseif code == 'n' then
      spend(#b)
      return contains(b, a)
    elseif code == 'k' then
      return b[a] ~= nil
    elseif code == 'c' then
      return b[a] or ERROR
    elseif code == 'p' then
      return string.sub(a, 1, #b) == b
    elseif code == 'q' then
      return b == '' or string.sub(a, -#b) == b
    elseif code == 'o' then
      return string.find(a, b, 1, true) ~= nil
    elseif code == 'g' then
      local item = a[b + 1]
      if item == nil then
        return ERROR
      end
      return item
    elseif code == 'e' then
      if #a ~= #b then
        return false
      end
      spend(#a)
      for i = 1, #a do
        if a[i] == ERROR or b[i] == ERROR then
          return ERROR
        elseif a[i] ~= b[i] then
          return false
        end
      end
      return true
    end
    error('unknown token')
  end

  -- A loop: `length` tokens are its condition.
  local function loop(code, length)
    local list = evaluate()
    local body, behind = at, at + length
    if list == ERROR then
      at = behind
      return ERROR
    end
    depth = depth + 1
    local number, failed, found, kept = depth, false, 0, {}
    local ends = false -- early, with `all` false or `exists` true
    for _, item in ipairs(list) do
      locals[number] = item
      at = body
      local value = evaluate()
      if value == ERROR then
        failed = true
      elseif value then
        found = found + 1
        kept[#kept + 1] = item
      end
      if (code == 'E' and value == true) or (code == 'A' and value == false) then
        ends = true
        break
      end
    end
    depth = depth - 1
    at = behind
    if ends then
      return code == 'E'
    elseif failed then
      return ERROR
    elseif code == 'E' then
      return false
    elseif code == 'A' then
      return true
    elseif code == 'O' then
      return found == 1
    end
    return kept
  end

  function evaluate()
    local token = tokens[at]
    at = at + 1
    spend(1)
    local code, rest = string.sub(token, 1, 1), string.sub(token, 2)
    if code == 'v' then
      return variable(rest)
    elseif code == 'i' then
      return tonumber(rest)
    elseif code == 's' then
      return rest
    elseif code == 'x' then
      return locals[tonumber(rest)]
    elseif code == '&' or code == '|' then
      local a = evaluate()
      local b = evaluate()
      local decisive = code == '|'
      if a == decisive or b == decisive then
        return decisive
      elseif a == ERROR or b == ERROR then
        return ERROR
      end
      return not decisive
    elseif code == '!' then
      local a = evaluate()
      if a == ERROR then
        return ERROR
      end
      return not a
    elseif code == '?' then
      local condition = evaluate()
      local a = evaluate()
      local b = evaluate()
      if condition == ERROR then
        return ERROR
      elseif condition then
        return a
      end
      return b
    elseif string.find('<l+-*/%', code, 1, true) then
      local a = evaluate()
      return calculate(code, a, evaluate())
    elseif code == 'a' then
      local value = attribute(rest)
      if value == nil then
        return ERROR
      end
      return value
    elseif code == 'h' then
      return attribute(rest) ~= nil
    elseif code == 'z' or code == 'Z' or code == 'm' or code == 'M' then
      local a = evaluate()
      if a == ERROR then
        return ERROR
      elseif code == 'z' then
        return #a
      elseif code == 'Z' then
        return select(2, string.gsub(a, '[^\128-\191]', '')) -- the first byte of each character
      elseif code == 'm' then
        return #counts().keys
      end
      return counts().keys
    elseif code == 't' or code == 'f' then
      return code == 't'
    elseif code == 'N' then
      return NULL
    elseif code == 'L' then
      local list, failed = {}, false
      for i = 1, tonumber(rest) do
        list[i] = evaluate()
        failed = failed or list[i] == ERROR
      end
      return failed and ERROR or list
    elseif string.find('EAOW', code, 1, true) then
      return loop(code, tonumber(rest))
    end
    local a = evaluate()
    return compare(code, a, evaluate())
  end

  local number = 0
  for program in string.gmatch(programs, '[^\30]+') do
    number = number + 1
    tokens = split(program)
    if #change.added > 0 or tokens[1] == 'r' then
      at, steps, depth = 2, 0, 0
      local fine, holds = pcall(evaluate)
      if not (fine and holds == true) then
        return number
      end
    end
  end
end
