ALTER TABLE files FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (data_key, key_version, user_id, stored_at, expires_at) ON files TO cardbridge_service;
--> statement-breakpoint
-- Whose a file is: a signed address does not name a platform.
CREATE FUNCTION platform_of_file(file_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text;
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep', true);
  SELECT f.platform_id INTO found FROM public.files AS f WHERE f.id = file_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN found;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION platform_of_file(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION platform_of_file(text) TO cardbridge_service;
--> statement-breakpoint
-- Destroys the keys of files that are over, and says where their blobs are. Whoever dies before the blobs are
-- deleted has them found again ten minutes later.
CREATE FUNCTION give_up_files(most integer)
RETURNS TABLE (id text, blob_name text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep', true);
  RETURN QUERY
  UPDATE public.files AS f
  SET data_key = NULL, key_version = NULL, expires_at = clock_timestamp() + interval '10 minutes'
  WHERE f.id = ANY (ARRAY(
    SELECT g.id FROM public.files AS g
    WHERE g.expires_at < clock_timestamp()
    ORDER BY g.expires_at
    LIMIT most
    FOR UPDATE SKIP LOCKED
  ))
  RETURNING f.id, f.blob_name;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION give_up_files(integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION give_up_files(integer) TO cardbridge_service;
--> statement-breakpoint
-- Forgets files that were given up and whose blobs are deleted.
CREATE FUNCTION forget_files(ids text[])
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep', true);
  DELETE FROM public.files AS f WHERE f.id = ANY (ids) AND f.data_key IS NULL;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION forget_files(text[]) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION forget_files(text[]) TO cardbridge_service;
--> statement-breakpoint
-- How many unused files are wrapped under each version of the key ring.
CREATE FUNCTION count_file_key_versions()
RETURNS TABLE (key_version integer, count bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'rewrap', true);
  RETURN QUERY
  SELECT f.key_version, count(*)
  FROM public.files AS f
  WHERE f.key_version IS NOT NULL
  GROUP BY 1;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION count_file_key_versions() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION count_file_key_versions() TO cardbridge_service;
--> statement-breakpoint
-- Erases users whose erasure was asked for and of whom nothing is unsettled or under way; their files are
-- given up with them.
CREATE OR REPLACE FUNCTION erase_users(most integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  chosen text[];
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  chosen := ARRAY(
    SELECT u.id FROM public.users AS u
    WHERE u.erase_requested_at IS NOT NULL AND u.erased_at IS NULL
      AND NOT EXISTS (
        SELECT FROM public.kyc_records AS r
        WHERE r.platform_id = u.platform_id AND r.user_id = u.id
          AND (r.settlement = 'unsettled' OR r.lease_until > clock_timestamp())
      )
    ORDER BY u.erase_requested_at
    LIMIT most
    FOR UPDATE SKIP LOCKED
  );
  DELETE FROM public.idempotency_keys AS k
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (chosen)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND k.platform_id = r.platform_id AND k.record_id = r.id;
  UPDATE public.kyc_records AS r
  SET sealed = NULL, fingerprint = NULL
  FROM public.users AS u
  WHERE u.id = ANY (chosen) AND r.platform_id = u.platform_id AND r.user_id = u.id;
  UPDATE public.files AS f
  SET data_key = NULL, expires_at = clock_timestamp()
  FROM public.users AS u
  WHERE u.id = ANY (chosen) AND f.platform_id = u.platform_id AND f.user_id = u.id;
  UPDATE public.users AS u
  SET member_id_index = NULL, email_index = NULL, sealed = NULL, data_key = NULL, key_version = NULL,
      erased_at = clock_timestamp()
  WHERE u.id = ANY (chosen);
  PERFORM set_config('cardbridge.task', '', true);
  RETURN cardinality(chosen);
END
$$;
