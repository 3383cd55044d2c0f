-- Takes due records for one caller, over all platforms, and tells their ids and nothing of their content.
-- An attempt whose lease ended without a word may have reached the provider: the next one asks first.
CREATE FUNCTION take_due(most integer, lease interval)
RETURNS TABLE (platform_id text, record_id text, attempt integer)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'take_due', true);
  RETURN QUERY
  UPDATE public.kyc_records AS r
  SET attempt = r.attempt + 1,
      step = CASE WHEN r.lease_until IS NULL THEN r.step ELSE 'ask' END,
      not_found = CASE WHEN r.lease_until IS NULL OR r.step = 'ask' THEN r.not_found ELSE 0 END,
      lease_until = clock_timestamp() + lease,
      due_at = clock_timestamp() + lease
  WHERE r.id IN (
    SELECT d.id FROM public.kyc_records AS d
    WHERE d.due_at <= clock_timestamp()
    ORDER BY d.settlement DESC, d.due_at
    LIMIT most
    FOR UPDATE SKIP LOCKED
  )
  RETURNING r.platform_id, r.id, r.attempt;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION take_due(integer, interval) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION take_due(integer, interval) TO cardbridge_service;
--> statement-breakpoint
GRANT UPDATE (step, not_found, held_at, revision) ON kyc_records TO cardbridge_service;
