-- Whose a record is: what the provider tells of its reference does not name a platform.
CREATE FUNCTION platform_of_record(record_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text;
BEGIN
  PERFORM set_config('cardbridge.task', 'look', true);
  SELECT r.platform_id INTO found FROM public.kyc_records AS r WHERE r.id = record_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN found;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION platform_of_record(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION platform_of_record(text) TO cardbridge_service;
--> statement-breakpoint
-- How many records of all platforms wait, and since when the oldest does.
CREATE FUNCTION count_waiting()
RETURNS TABLE (settlement text, held boolean, count bigint, oldest_seconds numeric)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'look', true);
  RETURN QUERY
  SELECT r.settlement, r.held_at IS NOT NULL, count(*),
         round(extract(epoch FROM clock_timestamp() - min(r.created_at)), 1)
  FROM public.kyc_records AS r
  WHERE r.due_at IS NOT NULL OR r.held_at IS NOT NULL
  GROUP BY 1, 2;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION count_waiting() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION count_waiting() TO cardbridge_service;
