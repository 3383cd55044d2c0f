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
