-- A session that planned a sweep while the tables were empty would read all deliveries in each later one.
ALTER FUNCTION sweep_webhooks(interval, integer) SET plan_cache_mode = force_custom_plan;

-- Statements without parameters keep a plan that the empty tables led to, also with plan_cache_mode. Two partial indexes
-- contain exactly the waiting records.
ALTER FUNCTION count_waiting() SET enable_seqscan = off;
ALTER FUNCTION list_waiting(interval, text, integer) SET enable_seqscan = off;

-- Lists the platforms that have entries after their last checkpoint, with the age of the oldest of these entries. Under
-- row-level security a condition with OR or COALESCE is checked after the index was read, which would read all entries. So
-- the aggregates, which return a row without a checkpoint too, calculate the position first.
CREATE OR REPLACE FUNCTION list_pending_audit()
RETURNS TABLE (platform_id text, oldest_seconds numeric)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  least_bigint CONSTANT bigint := -9223372036854775808;
BEGIN
  PERFORM set_config('cardbridge.task', 'checkpoint_audit', true);
  RETURN QUERY
  SELECT p.id, round(extract(epoch FROM clock_timestamp() - oldest.at), 1)
  FROM public.platforms AS p
  CROSS JOIN LATERAL (
    SELECT coalesce(max(last.last_txid), least_bigint) AS txid, coalesce(max(last.last_id), least_bigint) AS id
    FROM (
      SELECT s.last_txid, s.last_id FROM public.audit_checkpoints AS s
      WHERE s.platform_id = p.id ORDER BY s.number DESC LIMIT 1
    ) AS last
  ) AS covered
  CROSS JOIN LATERAL (
    SELECT e.at FROM public.audit_entries AS e
    WHERE e.platform_id = p.id
      AND (e.txid, e.id) > (covered.txid, covered.id)
    ORDER BY e.txid, e.id LIMIT 1
  ) AS oldest;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
