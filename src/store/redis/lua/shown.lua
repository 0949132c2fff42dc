-- An effect as people and checks see it: {id, account, contact, class, scope, state, attempt, not before, created, sealed,
-- reason, job, rev, 1 when it is held in its place or '', wrapped key of the contact}.
local function shown(id)
  local e = redis.call('HMGET', effect(id), 'account', 'contact', 'class', 'scope', 'state', 'attempt', 'nb', 'created',
    'sealed', 'reason', 'job', 'rev', 'inplace')
  table.insert(e, 1, id)
  for _, i in ipairs({11, 12, 14}) do e[i] = e[i] or '' end
  e[13] = e[13] or '0'
  e[15] = redis.call('HGET', of('s', e[3]), 'k')
  return e
end
