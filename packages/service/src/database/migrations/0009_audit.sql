-- Creates the partitions of this month and the next ones, so that a month can be exported and dropped. The default
-- partition takes the entries of a month without a partition, which then gets none. ATTACH, unlike CREATE TABLE PARTITION
-- OF, does not wait for transactions that add entries.
CREATE FUNCTION create_audit_months(months integer)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
  month timestamptz;
  name text;
BEGIN
  FOR month IN
    SELECT date_trunc('month', now()) + number * interval '1 month' FROM generate_series(0, months - 1) AS number
  LOOP
    name := to_char(month, '"audit_entries_"YYYY_MM');
    CONTINUE WHEN to_regclass(format('public.%I', name)) IS NOT NULL OR EXISTS (
      SELECT FROM public.audit_entries_default WHERE at >= month AND at < month + interval '1 month'
    );
    EXECUTE format('CREATE TABLE public.%I (LIKE public.audit_entries INCLUDING DEFAULTS)', name);
    EXECUTE format(
      'ALTER TABLE public.audit_entries ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
      name, month, month + interval '1 month'
    );
  END LOOP;
END
$$;

REVOKE ALL ON FUNCTION create_audit_months(integer) FROM PUBLIC;
CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;

-- Lists the platforms that have entries after their last checkpoint, with the age of the oldest of these entries.
CREATE FUNCTION list_pending_audit()
RETURNS TABLE (platform_id text, oldest_seconds numeric)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'checkpoint_audit', true);
  RETURN QUERY
  SELECT p.id, round(extract(epoch FROM clock_timestamp() - oldest.at), 1)
  FROM public.platforms AS p
  LEFT JOIN LATERAL (
    SELECT s.last_txid, s.last_id FROM public.audit_checkpoints AS s
    WHERE s.platform_id = p.id ORDER BY s.number DESC LIMIT 1
  ) AS latest ON true
  CROSS JOIN LATERAL (
    SELECT e.at FROM public.audit_entries AS e
    WHERE e.platform_id = p.id
      AND (latest.last_txid IS NULL OR (e.txid, e.id) > (latest.last_txid, latest.last_id))
    ORDER BY e.txid, e.id LIMIT 1
  ) AS oldest;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION list_pending_audit() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_pending_audit() TO cardbridge_service;
