-- Which entry of PROSA_KEYS the running processes wrap with. They are never all restarted at once, and each must unwrap what
-- another wraps. So a new first entry is used only when it is the first of every running process, and has been so for as long
-- as a process counts as running. KEYS[1]: `prosa:keys`. ARGV: process, how long it counts as running in ms (0: it ends), its
-- entries …. `latest` is the entry in use, `p:<process>` = `until|since|granted|entries`. Answers {entry to wrap with, or ''
-- when `latest` is not among these entries, `latest`}.
local clock = redis.call('TIME')
local NOW = clock[1] * 1000 + math.floor(clock[2] / 1000)
local me, span = 'p:' .. ARGV[1], tonumber(ARGV[2])
local latest, mine, agreed = redis.call('HGET', KEYS[1], 'latest'), nil, true
local all, gone = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 2) == 'p:' then
    local til, since, _, first = string.match(all[i + 1], '^(%d+)|(%d+)|([^|]*)|([^,]*)')
    if tonumber(til) <= NOW then gone[#gone + 1] = all[i]
    elseif all[i] == me then mine = tonumber(since)
    elseif first ~= ARGV[3] then agreed = false end
  end
end
if span == 0 then
  redis.call('HDEL', KEYS[1], me)
  return {'', latest or ''}
end
local has = false
for i = 3, #ARGV do has = has or ARGV[i] == latest end
if latest and not has then return {'', latest} end
if not latest or (agreed and mine and NOW - mine >= span) then latest = ARGV[3] end
if #gone > 0 then redis.call('HDEL', KEYS[1], unpack(gone)) end
redis.call('HSET', KEYS[1], 'latest', latest, me,
  (NOW + span) .. '|' .. (mine or NOW) .. '|' .. latest .. '|' .. table.concat(ARGV, ',', 3))
return {latest, latest}
