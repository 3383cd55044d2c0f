-- A session that planned a sweep while the tables were empty would read all deliveries in each later one.
ALTER FUNCTION sweep_webhooks(interval, integer) SET plan_cache_mode = force_custom_plan;

-- Two partial indexes contain exactly the waiting records. Without statistics the planner expects most records to wait,
-- and would read the whole table. count_waiting has no parameters, so plan_cache_mode does not apply to it.
ALTER FUNCTION count_waiting() SET enable_seqscan = off;
ALTER FUNCTION list_waiting(interval, text, integer) SET enable_seqscan = off;
