-- One contact for all aliases of one person. KEYS[1]: `prosa:{a:<account>}:`. ARGV: fresh contact, time of what was done
-- or '', how long the erased are remembered, alias hashes …. `alias` maps aliases to contacts, `erased` those of erased people
-- to the time of the erasure; of each contact `people` holds its birth, `<contact>:a` its aliases, `<contact>:m` all merged
-- into it, `<contact>:p` those whose mail is not forwarded yet. Answers {contact, last erasure of
-- one of the names or 0, loser to forward, …}; '' for the contact when what was done was done before that: nobody is made.
local A, people, tombs = KEYS[1] .. 'alias', KEYS[1] .. 'people', KEYS[1] .. 'erased'
local hashes = {}
for i = 4, #ARGV do hashes[#hashes + 1] = ARGV[i] end
-- Events tell whole seconds: what was done in the second of an erasure counts as done after it.
local erased = 0
for _, at in ipairs(redis.call('ZMSCORE', tombs, unpack(hashes))) do
  if at then erased = math.max(erased, tonumber(at)) end
end
erased = erased - erased % 1000
if ARGV[2] ~= '' and erased > 0 and tonumber(ARGV[2]) < erased then return {'', erased} end
local known = redis.call('HMGET', A, unpack(hashes))

local winner, winner_born
local found = {}
for i = 1, #hashes do
  local contact = known[i]
  if contact and not found[contact] then
    local born = tonumber(redis.call('HGET', people, contact) or '0')
    found[contact] = true
    if not winner or born < winner_born then winner, winner_born = contact, born end
  end
end

local function words(text)
  local list = {}
  for word in string.gmatch(text or '', '%S+') do list[#list + 1] = word end
  return list
end
local function append(field, word)
  local old = redis.call('HGET', people, field)
  redis.call('HSET', people, field, old and (old .. ' ' .. word) or word)
end

if not winner then
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', tombs, '-inf', now - ARGV[3])
  winner = ARGV[1]
  redis.call('HSET', people, winner, redis.call('HINCRBY', people, 'births', 1))
end
for loser in pairs(found) do
  if loser ~= winner then
    for _, hash in ipairs(words(redis.call('HGET', people, loser .. ':a') or '')) do
      redis.call('HSET', A, hash, winner)
      append(winner .. ':a', hash)
    end
    redis.call('HDEL', people, loser .. ':a')
    append(winner .. ':m', loser)
    append(winner .. ':p', loser)
    -- Contacts merged into the loser before belong to the winner from now on, so that an erasure finds them.
    for _, older in ipairs(words(redis.call('HGET', people, loser .. ':m') or '')) do append(winner .. ':m', older) end
    for _, older in ipairs(words(redis.call('HGET', people, loser .. ':p') or '')) do append(winner .. ':p', older) end
    redis.call('HDEL', people, loser, loser .. ':m', loser .. ':p')
  end
end
for i = 1, #hashes do
  if not known[i] then
    redis.call('HSET', A, hashes[i], winner)
    append(winner .. ':a', hashes[i])
  end
end
local answer = words(redis.call('HGET', people, winner .. ':p') or '')
table.insert(answer, 1, erased)
table.insert(answer, 1, winner)
return answer
