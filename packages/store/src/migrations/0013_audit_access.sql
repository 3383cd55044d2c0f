ALTER TABLE audit_entries FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE audit_seals FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
-- When an entry was written, and by which transaction, is the database's own word.
GRANT SELECT, INSERT (platform_id, actor, act, subject, outcome, request_id, address)
  ON audit_entries TO cardbridge_service;
--> statement-breakpoint
GRANT SELECT, INSERT ON audit_seals TO cardbridge_service;
--> statement-breakpoint
-- The platforms that have entries behind their last seal, and how old the first of these is.
CREATE FUNCTION audit_unsealed()
RETURNS TABLE (platform_id text, oldest_seconds numeric)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'seal_audit', true);
  RETURN QUERY
  SELECT p.id, round(extract(epoch FROM clock_timestamp() - oldest.at), 1)
  FROM public.platforms AS p
  LEFT JOIN LATERAL (
    SELECT s.last_txid, s.last_id FROM public.audit_seals AS s
    WHERE s.platform_id = p.id ORDER BY s.number DESC LIMIT 1
  ) AS sealed ON true
  CROSS JOIN LATERAL (
    SELECT e.at FROM public.audit_entries AS e
    WHERE e.platform_id = p.id
      AND (sealed.last_txid IS NULL OR (e.txid, e.id) > (sealed.last_txid, sealed.last_id))
    ORDER BY e.txid, e.id LIMIT 1
  ) AS oldest;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION audit_unsealed() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION audit_unsealed() TO cardbridge_service;
