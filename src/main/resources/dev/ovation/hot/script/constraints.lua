-- Precedes react.lua: evaluates the constraints that a configuration writes in CEL. A constraint is a
-- program in prefix form, from the translator of the rules: tokens, each a letter and an argument. No
-- text of a program or of a request becomes code. Loops are bounded by steps. Whatever fails, refuses.
--
-- Values: numbers (times and durations are microseconds), texts, booleans, lists, NULL, and ERROR, which
-- `&&`, `||` and loops absorb as CEL does. The right side of `&&` and `||` is skipped where the left one
-- decides: no side has an effect.

local MOST_STEPS = 20000 -- of the loops of all constraints of a change

-- Returns the function that judges all changes of a run.
local function constraint_judge()
  local ERROR, NULL = {}, {}
  local change, counted, attributes -- of the present change
  local codes, args, at, steps      -- of the present program
  local locals, depth = {}, 0       -- variables of loops, by depth
  local evaluate

  local function counts()
    if not counted then
      counted = {of = {}, keys = {}, total = 0, first = NULL, last = NULL}
      local all = change.counters()
      for i = 1, #all, 2 do
        local id = string.match(all[i], '^r:(.*)$')
        if id then
          local count, first, last = string.match(all[i + 1], '^(%d+)\31(%d+)\31(%d+)$')
          count, first, last = tonumber(count), tonumber(first), tonumber(last)
          counted.of[id] = count
          counted.keys[#counted.keys + 1] = id
          counted.total = counted.total + count
          counted.first = counted.first == NULL and first or math.min(counted.first, first)
          counted.last = counted.last == NULL and last or math.max(counted.last, last)
        end
      end
    end
    return counted
  end

  local function attribute(name)
    if not attributes then
      attributes = {}
      local given = split(change.attributes)
      local i = 1
      while i < #given do
        local key, kind, value = given[i], string.sub(given[i + 1], 1, 1), string.sub(given[i + 1], 2)
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

  -- Variables that are not members of the change.
  local function variable(name)
    if name == 'entity.counts' then
      return counts().of
    elseif name == 'entity.kinds' then
      return #counts().keys
    elseif name == 'entity.total' then
      return counts().total
    elseif name == 'entity.first_reacted_at' then
      return counts().first
    elseif name == 'entity.last_reacted_at' then
      return counts().last
    elseif name == 'user.last_reacted_at' then
      return NULL
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
    elseif code == 'l' then
      return a <= b
    elseif code == '<' then
      return a < b
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
        if a[i] ~= b[i] then
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
      spend(1 + length)
      locals[number] = item
      at = body
      local value = evaluate()
      if value == ERROR then
        failed = true
      elseif value then
        found = found + 1
        kept[found] = item
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
    local code, arg = codes[at], args[at]
    at = at + 1
    if code == 'v' then
      return change[arg] or variable(arg)
    elseif code == 'i' then
      return arg
    elseif code == 'y' then
      return #change[arg] -- the size of a list of the change
    elseif code == 'l' or code == '<' or code == '+' or code == '-' or code == '*' or code == '/' or code == '%' then
      local a = evaluate()
      return calculate(code, a, evaluate())
    elseif code == 's' then
      return arg
    elseif code == 'z' then
      local a = evaluate()
      if a == ERROR then
        return ERROR
      end
      return #a
    elseif code == 'x' then
      return locals[arg]
    elseif code == '&' or code == '|' then
      local a = evaluate()
      local decisive = code == '|'
      if a == decisive then
        at = at + arg -- behind the right side
        return decisive
      end
      local b = evaluate()
      if b == decisive then
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
    elseif code == 'a' then
      local value = attribute(arg)
      if value == nil then
        return ERROR
      end
      return value
    elseif code == 'h' then
      return attribute(arg) ~= nil
    elseif code == 'Z' then
      local a = evaluate()
      if a == ERROR then
        return ERROR
      end
      return select(2, string.gsub(a, '[^\128-\191]', '')) -- the first byte of each character
    elseif code == 'm' or code == 'M' then
      evaluate()
      return code == 'm' and #counts().keys or counts().keys
    elseif code == 't' or code == 'f' then
      return code == 't'
    elseif code == 'N' then
      return NULL
    elseif code == 'L' then
      local list, failed = {}, false
      for i = 1, arg do
        list[i] = evaluate()
        failed = failed or list[i] == ERROR
      end
      return failed and ERROR or list
    elseif code == 'E' or code == 'A' or code == 'O' or code == 'W' then
      return loop(code, arg)
    end
    local a = evaluate()
    return compare(code, a, evaluate())
  end

  -- Tokens whose argument is a number.
  local NUMERIC = {i = true, x = true, ['&'] = true, ['|'] = true, L = true, E = true, A = true, O = true, W = true}

  -- Programs of a namespace, each once in a run.
  local parsed = {}
  local function parse(text)
    local programs = {}
    for one in string.gmatch(text, '[^\30]+') do -- each counts, whatever its form: a broken one refuses
      local program = {judges_removals = string.sub(one, 1, 1) == 'r', codes = {}, args = {}}
      local n = 0
      for code, arg in string.gmatch(one, '\31([^\31])([^\31]*)') do
        n = n + 1
        program.codes[n], program.args[n] = code, NUMERIC[code] and tonumber(arg) or arg
      end
      programs[#programs + 1] = program
    end
    parsed[text] = programs
    return programs
  end

  return function(text, present)
    change, counted, attributes, steps = present, nil, nil, 0
    for number, program in ipairs(parsed[text] or parse(text)) do
      if #change.added > 0 or program.judges_removals then
        codes, args, at, depth = program.codes, program.args, 1, 0
        local fine, holds = pcall(evaluate)
        if not (fine and holds == true) then
          return number, steps
        end
      end
    end
    return nil, steps
  end
end

-- Returns the number of the first constraint that refuses a change, or nil, and the steps that all took.
--
-- `programs`: the constraints, separated by U+001E; each begins with r (taking back is judged) or - and
-- U+001F. `change`: values of variables by name, as far as they are known without the count hash;
-- attributes (name and value in turn, joined), and counters, which returns the fields of the count hash.
local judge -- made when a run needs it
local function refusing_constraint(programs, change)
  judge = judge or constraint_judge()
  return judge(programs, change)
end
