-- KEYS[1]: `prosa:pauses`. ARGV: scope, reason, until or '', 1 to replace only the reasons that follow, reasons …. An entry is
-- `since|until|reason`; that of `scope|limit` is a rate limit under another reason. Answers 1 when it is new.
local LIMIT = 'rate_limited'
local scope, reason, ends = ARGV[1], ARGV[2], ARGV[3]
local beneath = scope .. '|limit'
local clock = redis.call('TIME')
local old = redis.call('HGET', KEYS[1], scope)
local since, known_end, known = string.match(old or '', '^(%d+)|(%d*)|(.*)$')
since = since or (clock[1] * 1000 + math.floor(clock[2] / 1000))

local function keep(at)
  if at and at ~= '' then redis.call('HSET', KEYS[1], beneath, since .. '|' .. at .. '|' .. LIMIT)
  else redis.call('HDEL', KEYS[1], beneath) end
end
-- Of two ends the later one; there may be only one.
local function later(one, other)
  if not other or other == '' or (one ~= '' and tonumber(one) >= tonumber(other)) then return one end
  return other
end

local limited = string.match(old and redis.call('HGET', KEYS[1], beneath) or '', '^%d+|(%d*)|')
if known == LIMIT then limited = known_end end
if old and ARGV[4] == '1' then
  local weaker = false
  for i = 5, #ARGV do weaker = weaker or ARGV[i] == known end
  if not weaker then
    if reason == LIMIT and known ~= LIMIT and ends ~= '' then keep(later(ends, limited)) end
    return 0
  end
  if reason == LIMIT and ends ~= '' then
    -- A rate limit without an end was set by a person.
    if known == LIMIT and known_end == '' then return 0 end
    ends = later(ends, limited)
  end
end
keep(reason ~= LIMIT and limited)
redis.call('HSET', KEYS[1], scope, since .. '|' .. ends .. '|' .. reason)
return old and 0 or 1
