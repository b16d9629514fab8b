// The Lua scripts of RedisLiveStore. Private to libs/livestore.
//
// Keys, all of one partition under one hash tag (KEYS[1] is "{partition}"; the others are built
// from it, because a deletion finds its indexes only in the document):
//   {p}d:NAME   hash: v version, s last sequence, b body, e expiry in Unix ms (if any),
//               i:INDEX the score in each index the document is in
//   {p}j:NAME   stream: the journal; the entry of event n has the id n-0 and one field, e
//   {p}x:INDEX  sorted set of document names
// Messages about a document go to the channel DB{p}e:NAME, DB being the database number (pub/sub
// knows no databases): "e" SEQUENCE ":" PAYLOAD for an event, "d" for a deletion.
#pragma once

namespace komadai::livestore {

// ARGV: DB, number of changes, then per change: name, expected version, "b" or "" and the body, "d"
// or "", time to live in ms or "", events to keep or "", number of events, events, number of index
// changes, (index, score or "")...; then the announcements: (channel, payload)...
// Replies {1, version, sequence, ...}, {0, position, current version} for a conflict, or
// {-1, position} for a document that would both expire and be in an index. Everything is checked
// before the first write, since a script has no way back.
inline constexpr char kCommitScript[] = R"lua(
local call, tonumber = redis.call, tonumber
local prefix, db = KEYS[1], ARGV[1]
local count, at = tonumber(ARGV[2]), 3

-- What nearly every commit is: one document that exists and does not expire gets a body, events
-- and at most one index entry. The same effects as below, without the tables.
if count == 1 and ARGV[5] ~= '' and ARGV[7] == '' and ARGV[8] == '' and ARGV[9] == '' then
  local name, events = ARGV[3], tonumber(ARGV[10])
  local index_at = 12 + events
  local indexes = tonumber(ARGV[index_at - 1])
  if indexes == 0 or (indexes == 1 and ARGV[index_at + 1] ~= '') then
    local key = prefix .. 'd:' .. name
    local found = call('HMGET', key, 'v', 's', 'e')
    if found[1] and not found[3] then
      local version, sequence = tonumber(found[1]), tonumber(found[2])
      if ARGV[4] ~= '-1' and ARGV[4] ~= found[1] then return {0, 1, version} end
      version = version + 1
      for n = 11, 10 + events do
        sequence = sequence + 1
        call('XADD', prefix .. 'j:' .. name, sequence .. '-0', 'e', ARGV[n])
        call('PUBLISH', db .. prefix .. 'e:' .. name, 'e' .. sequence .. ':' .. ARGV[n])
      end
      if indexes == 1 then
        local index, score = ARGV[index_at], ARGV[index_at + 1]
        call('ZADD', prefix .. 'x:' .. index, score, name)
        call('HSET', key, 'v', version, 's', sequence, 'b', ARGV[6], 'i:' .. index, score)
      else
        call('HSET', key, 'v', version, 's', sequence, 'b', ARGV[6])
      end
      for n = index_at + 2 * indexes, #ARGV, 2 do call('PUBLISH', ARGV[n], ARGV[n + 1]) end
      return {1, version, sequence}
    end
  end
end
local changes = {}
local now
local function now_us()
  if not now then
    local t = call('TIME')
    now = tonumber(t[1]) * 1000000 + tonumber(t[2])
  end
  return now
end

-- Lists stay in ARGV: the events from first_event to last_event, the (index, score) pairs from
-- first_index on, with the last score at last_index.
for i = 1, count do
  local name, expected = ARGV[at], ARGV[at + 1]
  local first_event = at + 8
  local last_event = first_event + tonumber(ARGV[at + 7]) - 1
  local first_index = last_event + 2
  local last_index = first_index + 2 * tonumber(ARGV[last_event + 1]) - 1
  local key = prefix .. 'd:' .. name
  local found = call('HMGET', key, 'v', 's', 'e')
  local current = found[1] or '0'
  if expected ~= '-1' and expected ~= current then
    return {0, i, tonumber(current)}
  end
  local has_body = ARGV[at + 2] ~= ''
  local creates = has_body or last_event >= first_event
  for n = first_index + 1, last_index, 2 do creates = creates or ARGV[n] ~= '' end
  changes[i] = {
    name = name, key = key, has_body = has_body, body = ARGV[at + 3],
    delete = ARGV[at + 4] ~= '', ttl = tonumber(ARGV[at + 5]), keep = tonumber(ARGV[at + 6]),
    first_event = first_event, last_event = last_event,
    first_index = first_index, last_index = last_index,
    exists = found[1] ~= false, creates = creates, version = tonumber(current),
    sequence = tonumber(found[2] or '0'), expires = found[3]}
  at = last_index + 1
end

for i = 1, count do
  local c = changes[i]
  local expires = c.expires
  if c.ttl then expires = c.ttl > 0 end
  if expires and (c.exists or c.creates) and (c.ttl or c.last_index > c.first_index) then
    local members = {}
    for _, field in ipairs(call('HKEYS', c.key)) do
      if string.sub(field, 1, 2) == 'i:' then members[string.sub(field, 3)] = true end
    end
    for n = c.first_index, c.last_index, 2 do
      members[ARGV[n]] = ARGV[n + 1] ~= '' or nil
    end
    if next(members) then return {-1, i} end
  end
end

local function delete(c)
  for _, field in ipairs(call('HKEYS', c.key)) do
    if string.sub(field, 1, 2) == 'i:' then
      call('ZREM', prefix .. 'x:' .. string.sub(field, 3), c.name)
    end
  end
  call('DEL', c.key, prefix .. 'j:' .. c.name)
  call('PUBLISH', db .. prefix .. 'e:' .. c.name, 'd')
  c.version, c.sequence = 0, 0
end

local function set_expiry(c, journal)
  local expires = c.expires
  if c.ttl == 0 then
    expires = false
    call('HDEL', c.key, 'e')
    call('PERSIST', c.key)
    call('PERSIST', journal)
  elseif c.ttl then
    expires = math.floor(now_us() / 1000) + c.ttl
    call('HSET', c.key, 'e', expires)
    call('PEXPIREAT', c.key, expires)
  end
  if expires then call('PEXPIREAT', journal, expires) end
end

local function apply(c)
  local journal = prefix .. 'j:' .. c.name
  for n = c.first_event, c.last_event do
    c.sequence = c.sequence + 1
    call('XADD', journal, c.sequence .. '-0', 'e', ARGV[n])
    call('PUBLISH', db .. prefix .. 'e:' .. c.name, 'e' .. c.sequence .. ':' .. ARGV[n])
  end
  if c.keep then call('XTRIM', journal, 'MAXLEN', c.keep) end
  c.version = c.exists and c.version + 1 or now_us()
  local fields = {'v', c.version, 's', c.sequence}
  if c.has_body or not c.exists then fields[5], fields[6] = 'b', c.body end
  for n = c.first_index, c.last_index, 2 do
    local index, score = ARGV[n], ARGV[n + 1]
    if score ~= '' then
      call('ZADD', prefix .. 'x:' .. index, score, c.name)
      fields[#fields + 1] = 'i:' .. index
      fields[#fields + 1] = score
    else
      call('ZREM', prefix .. 'x:' .. index, c.name)
      call('HDEL', c.key, 'i:' .. index)
    end
  end
  call('HSET', c.key, unpack(fields))
  if c.ttl or c.expires then set_expiry(c, journal) end
end

for i = 1, count do
  local c = changes[i]
  if c.delete then
    if c.exists then delete(c) end
  elseif c.creates or
      (c.exists and (c.last_index > c.first_index or c.ttl or c.keep)) then
    apply(c)
  end
end
while at < #ARGV do
  call('PUBLISH', ARGV[at], ARGV[at + 1])
  at = at + 2
end

local reply = {1}
for i = 1, count do
  reply[2 * i] = changes[i].version
  reply[2 * i + 1] = changes[i].sequence
end
return reply
)lua";

// ARGV: names. Replies {version, sequence, body} for each, with nils for an absent document.
inline constexpr char kLoadManyScript[] = R"lua(
local reply = {}
for i = 1, #ARGV do
  reply[i] = redis.call('HMGET', KEYS[1] .. 'd:' .. ARGV[i], 'v', 's', 'b')
end
return reply
)lua";

// ARGV: name, first sequence, limit, "b" or "" for the body. Replies {version, sequence, body,
// entries}; version is nil for an absent document.
inline constexpr char kJournalScript[] = R"lua(
local name, first, limit = ARGV[1], ARGV[2], ARGV[3]
local reply
if ARGV[4] ~= '' then
  reply = redis.call('HMGET', KEYS[1] .. 'd:' .. name, 'v', 's', 'b')
else
  reply = redis.call('HMGET', KEYS[1] .. 'd:' .. name, 'v', 's')
  reply[3] = ''
end
reply[4] = {}
if limit ~= '0' then
  reply[4] = redis.call('XRANGE', KEYS[1] .. 'j:' .. name, first .. '-0', '+', 'COUNT', limit)
end
return reply
)lua";

// ARGV: index, score and name of the entry to continue behind, limit (above 0). Replies names and
// scores alternating. Entries of one score are in the order of their bytes, but Redis can only seek
// a score: a binary search finds the name. (Lua's own < on strings depends on the locale.)
inline constexpr char kReadIndexScript[] = R"lua(
local key, score, name, limit = KEYS[1] .. 'x:' .. ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local function is_behind(other)
  for i = 1, math.min(#other, #name) do
    local a, b = string.byte(other, i), string.byte(name, i)
    if a ~= b then return a > b end
  end
  return #other > #name
end
local low = redis.call('ZCOUNT', key, '-inf', '(' .. score)
local high = redis.call('ZCOUNT', key, '-inf', score)
while low < high do
  local middle = math.floor((low + high) / 2)
  if is_behind(redis.call('ZRANGE', key, middle, middle)[1]) then
    high = middle
  else
    low = middle + 1
  end
end
return redis.call('ZRANGE', key, low, low + limit - 1, 'WITHSCORES')
)lua";

}  // namespace komadai::livestore
