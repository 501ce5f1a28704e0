-- Load for wrk: wrk … -s load.lua <url> -- '<request>'…
-- A request is "[<weight> ]<method> <path>[ <body>]"; requests take turns, each as often in a row as
-- its weight says. Filled in are:
--   {a-b}        a number drawn from a to b
--   {~n}         a number from 1 to n, by a Gaussian around n/2 with a deviation of n/6
--   {^a|b|c}     one of the texts, the k-th k times as rarely as the first (Zipf)
--   {n}          a text that never comes again
--   {+}          counts on from the environment's FROM
--   <k:text>     the text k times, each filled in anew, no two alike, with commas in between
-- Requests without {n} and {+} are drawn from some thousands made before the start.
-- ITEMS in the environment: how many entities a request asks for.
-- CREDENTIALS in the environment: a file with one credential a line; requests take turns.
-- PAUSE in the environment: milliseconds between an answer and the next request of its connection.
-- Prints a measure a line, a tabulator between name and value.

local PREPARED = 4000

local run = string.format("%x", os.time()) .. "-" .. string.sub(tostring({}), -6)
local unique = 0
local counted = tonumber(os.getenv("FROM") or "1") - 1
local turns = {}
local turn = 0

local function gaussian(n)
   local radius = math.sqrt(-2 * math.log(1 - math.random()))
   local drawn = radius * math.cos(2 * math.pi * math.random()) * n / 6 + n / 2
   return math.floor(drawn) % n + 1
end

local function zipf(texts)
   local parts, sum = {}, 0
   for part in texts:gmatch("[^|]+") do
      parts[#parts + 1] = part
      sum = sum + 1 / #parts
   end
   local drawn = math.random() * sum
   for k, part in ipairs(parts) do
      drawn = drawn - 1 / k
      if drawn <= 0 then return part end
   end
   return parts[1]
end

local fill

local function different(times, part)
   local parts, seen, drawn = {}, {}, 0
   while #parts < times do
      local filled = fill(part)
      drawn = drawn + 1
      if drawn > 1000 * times then error("not so many different ones: " .. part) end
      if not seen[filled] then parts[#parts + 1] = filled end
      seen[filled] = true
   end
   return table.concat(parts, ",")
end

function fill(text)
   text = text:gsub("<(%d+):(.-)>", function(times, part) return different(tonumber(times), part) end)
   text = text:gsub("{(%d+)%-(%d+)}", function(from, to) return math.random(from, to) end)
   text = text:gsub("{~(%d+)}", function(n) return gaussian(tonumber(n)) end)
   text = text:gsub("{%^([^{}]*)}", zipf)
   text = text:gsub("{n}", function() unique = unique + 1; return run .. "-" .. unique end)
   return (text:gsub("{%+}", function() counted = counted + 1; return tostring(counted) end))
end

local credentials = {}
local presented = 0
if os.getenv("CREDENTIALS") then
   for line in io.lines(os.getenv("CREDENTIALS")) do
      credentials[#credentials + 1] = {["Host"] = "localhost", ["Authorization"] = "Bearer " .. line}
   end
end

local function headers()
   if #credentials == 0 then return nil end
   presented = presented % #credentials + 1
   return credentials[presented]
end

local function maker(method, path, body)
   local function make()
      return wrk.format(method, fill(path), headers(), body ~= "" and fill(body) or nil)
   end
   if (path .. body):find("{[n+]}") then return make end
   local prepared = {}
   for i = 1, PREPARED do prepared[i] = make() end
   local last = 0
   return function()
      last = last % PREPARED + 1
      return prepared[last]
   end
end

function init(requests)
   math.randomseed(os.time())
   for _, text in ipairs(requests) do
      local weight, method, path, body = text:match("^(%d*) ?(%u+) (%S+) ?(.*)$")
      if not method then error("not a request: " .. text) end
      local make = maker(method, path, body)
      for _ = 1, tonumber(weight) or 1 do turns[#turns + 1] = make end
   end
end

if os.getenv("PAUSE") then
   function delay() return tonumber(os.getenv("PAUSE")) end
end

function request()
   turn = turn % #turns + 1
   return turns[turn]()
end

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   print(string.format("requests_per_s\t%.1f", summary.requests / summary.duration * 1e6))
   local items = os.getenv("ITEMS")
   if items then
      print(string.format("entities_per_s\t%.0f", items * summary.requests / summary.duration * 1e6))
   end
   print(string.format("p50_ms\t%.3f", latency:percentile(50) / 1000))
   print(string.format("p99_ms\t%.3f", latency:percentile(99) / 1000))
   print(string.format("errors\t%d", failed))
   -- The number of requests, for the caller; not a measure.
   print(string.format("made %d", summary.requests))
end
