-- KEYS[1]: `prosa:{d:<collection>}:`. ARGV: id after which the page begins or '', limit. Answers {id, `rev|sealed`, …}.
local from = ARGV[1] == '' and '-' or '(' .. ARGV[1]
local answer = {}
for _, id in ipairs(redis.call('ZRANGEBYLEX', KEYS[1] .. 'ids', from, '+', 'LIMIT', 0, ARGV[2])) do
  answer[#answer + 1] = id
  answer[#answer + 1] = redis.call('HGET', KEYS[1] .. 'docs', id)
end
return answer
