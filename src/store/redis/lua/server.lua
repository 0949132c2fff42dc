-- Who this server is: {start of this process, stream of writes it holds, the stream it continued when it was promoted or '',
-- when it started (ms, to the second), 1 in a Cluster}. For the few scripts that begin calls that must not be made twice.
local function server()
  local info = redis.call('INFO', 'server', 'replication')
  local function field(name) return string.match(info, name .. ':([^\r\n]*)') or '' end
  local before = field('second_repl_offset') == '-1' and '' or field('master_replid2')
  return {field('run_id'), field('master_replid'), before, (clock[1] - tonumber(field('uptime_in_seconds'))) * 1000,
    field('redis_mode') == 'cluster' and 1 or 0}
end
