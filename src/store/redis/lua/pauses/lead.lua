-- A name that leads to a person for a while. KEYS[1]: `prosa:{a:<account>}:`. ARGV: hash of that name, for how long in ms, how
-- many of one person, alias hashes of the person …. `lead:<hash>` holds the first of those that is known; `leads:<alias>` the
-- names that lead to it, the youngest first, so that they are bounded and an erasure finds them. 0: none of the aliases is
-- known.
local prefix, name, life, most = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local hashes = {}
for i = 4, #ARGV do hashes[#hashes + 1] = ARGV[i] end
local known = redis.call('HMGET', prefix .. 'alias', unpack(hashes))
for i, hash in ipairs(hashes) do
  if known[i] then
    local list = prefix .. 'leads:' .. hash
    -- A repeat, because the answer was lost.
    if redis.call('GET', prefix .. 'lead:' .. name) == hash then return 1 end
    redis.call('SET', prefix .. 'lead:' .. name, hash, 'PX', life)
    redis.call('LPUSH', list, name)
    redis.call('PEXPIRE', list, life)
    while redis.call('LLEN', list) > most do redis.call('DEL', prefix .. 'lead:' .. redis.call('RPOP', list)) end
    return 1
  end
end
return 0
