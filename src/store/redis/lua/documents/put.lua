-- KEYS[1]: `prosa:{d:<collection>}:`. ARGV: id, sealed, expected revision or '', id of the key that sealed it (absent: an older
-- build). `docs` holds `rev|sealed`, `ids` the order. Answers the revision, 0 for a conflict, or 'key' when `meta` has another
-- key or none, because a fail-over lost the known one. A key wrapped anew keeps its id.
local docs, ids, meta = KEYS[1] .. 'docs', KEYS[1] .. 'ids', KEYS[1] .. 'meta'
if ARGV[4] then
  local wrapped = redis.call('HGET', meta, 'k')
  if not wrapped or string.match(wrapped, '^[^:]*:([^:]*):') ~= ARGV[4] then return 'key' end
end
local old = redis.call('HGET', docs, ARGV[1])
local rev = old and tonumber(string.match(old, '^(%d+)|')) or 0
if ARGV[3] ~= '' and tonumber(ARGV[3]) ~= rev then return 0 end
-- A document made again starts above every revision it ever had.
if rev == 0 then rev = tonumber(redis.call('HGET', meta, 'floor') or '0') end
redis.call('HSET', docs, ARGV[1], (rev + 1) .. '|' .. ARGV[2])
redis.call('ZADD', ids, 0, ARGV[1])
return rev + 1
