-- Whose a record is: what the provider tells of its reference does not name a platform.
CREATE FUNCTION platform_of_record(record_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text;
BEGIN
  PERFORM set_config('cardbridge.task', 'platform_of_record', true);
  SELECT r.platform_id INTO found FROM public.kyc_records AS r WHERE r.id = record_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN found;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION platform_of_record(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION platform_of_record(text) TO cardbridge_service;
