ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (record_id) ON idempotency_keys TO cardbridge_service;
--> statement-breakpoint
-- Forgets keys of all platforms that are older than an age of at least 30 days; tells how many.
CREATE FUNCTION forget_keys(age interval)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  forgotten bigint;
BEGIN
  PERFORM set_config('cardbridge.task', 'forget_keys', true);
  DELETE FROM public.idempotency_keys
  WHERE created_at < now() - greatest(age, interval '30 days');
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN forgotten;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION forget_keys(interval) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION forget_keys(interval) TO cardbridge_service;
