-- As before, but the present is read once. An index cannot be searched by a volatile function, so each poll read every
-- record that waits for a later moment.
CREATE OR REPLACE FUNCTION lease_due(max_count integer, lease interval)
RETURNS TABLE (platform_id text, record_id text, attempt integer)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := clock_timestamp();
  lease_end timestamptz := present + lease;
BEGIN
  PERFORM set_config('cardbridge.task', 'lease_due', true);
  RETURN QUERY
  UPDATE public.kyc_records AS r
  SET attempt = r.attempt + 1,
      step = CASE WHEN r.lease_until IS NULL THEN r.step ELSE 'ask' END,
      not_found = public.not_found_after_lease(r.lease_until, r.step, r.not_found),
      lease_until = lease_end,
      due_at = lease_end
  WHERE r.id IN (
    SELECT d.id FROM public.kyc_records AS d
    WHERE d.due_at <= present
    ORDER BY d.settlement DESC, d.due_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  )
  RETURNING r.platform_id, r.id, r.attempt;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint

-- As before, with the same change.
CREATE OR REPLACE FUNCTION expire_files(max_count integer)
RETURNS TABLE (id text, blob_name text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := clock_timestamp();
BEGIN
  PERFORM set_config('cardbridge.task', 'expire_files', true);
  RETURN QUERY
  UPDATE public.files AS f
  SET data_key = NULL, key_version = NULL, expires_at = present + interval '10 minutes'
  WHERE f.id = ANY (ARRAY(
    SELECT g.id FROM public.files AS g
    WHERE g.expires_at < present
    ORDER BY g.expires_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  ))
  RETURNING f.id, f.blob_name;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
