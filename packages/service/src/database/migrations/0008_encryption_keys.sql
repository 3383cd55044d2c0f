-- Returns the input keys that differ from the known keys, and the known keys that are in use but not in the input.
-- Without a problem it stores keys with new names and checks again: another instance may have stored different keys
-- at the same time. A version of the ring is in use while it wraps a key of a user, a file or a webhook endpoint.
CREATE FUNCTION check_encryption_keys(input jsonb)
RETURNS TABLE (name text, problem text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('cardbridge.task', 'check_encryption_keys', true);
  FOR pass IN 1..2 LOOP
    RETURN QUERY
    SELECT k.name, CASE WHEN i.name IS NULL THEN 'missing' ELSE 'wrong' END
    FROM public.known_encryption_keys AS k
    LEFT JOIN jsonb_to_recordset(input) AS i (name text, check_value text) ON i.name = k.name
    WHERE i.check_value IS DISTINCT FROM k.check_value
      AND (i.name IS NOT NULL
        OR EXISTS (SELECT FROM public.users AS u WHERE u.key_version = k.ring_version)
        OR EXISTS (SELECT FROM public.files AS f WHERE f.key_version = k.ring_version)
        OR EXISTS (SELECT FROM public.webhook_endpoints AS e WHERE e.key_version = k.ring_version));
    EXIT WHEN FOUND OR pass = 2;
    INSERT INTO public.known_encryption_keys (name, ring_version, check_value)
    SELECT i.name, i.ring_version, i.check_value
    FROM jsonb_to_recordset(input) AS i (name text, ring_version integer, check_value text)
    ON CONFLICT DO NOTHING;
  END LOOP;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Lists users, files and webhook endpoints whose data keys are wrapped under a version of the ring other than the
-- current version, ordered by table and id, after (after_table, after_id).
CREATE FUNCTION list_keys_to_rewrap(
  current_version integer, after_table text, after_id text, max_count integer
)
RETURNS TABLE (table_name text, platform_id text, row_id text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'rewrap', true);
  RETURN QUERY
  (SELECT 'files', f.platform_id, f.id
   FROM public.files AS f
   WHERE f.key_version <> current_version AND ('files', f.id) > (after_table, after_id)
   ORDER BY f.id
   LIMIT max_count)
  UNION ALL
  (SELECT 'users', u.platform_id, u.id
   FROM public.users AS u
   WHERE u.key_version <> current_version AND ('users', u.id) > (after_table, after_id)
   ORDER BY u.id
   LIMIT max_count)
  UNION ALL
  (SELECT 'webhook_endpoints', e.platform_id, e.id
   FROM public.webhook_endpoints AS e
   WHERE e.key_version <> current_version AND ('webhook_endpoints', e.id) > (after_table, after_id)
   ORDER BY e.id
   LIMIT max_count)
  ORDER BY 1, 3
  LIMIT max_count;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Counts the users whose data keys are wrapped under each version of the key ring.
CREATE FUNCTION count_user_key_versions()
RETURNS TABLE (key_version integer, count bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'rewrap', true);
  RETURN QUERY
  SELECT u.key_version, count(*)
  FROM public.users AS u
  WHERE u.key_version IS NOT NULL
  GROUP BY 1
  ORDER BY 1;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Counts the unused files whose keys are wrapped under each version of the key ring.
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

-- Counts the webhook endpoints whose data keys are wrapped under each version of the key ring.
CREATE FUNCTION count_webhook_key_versions()
RETURNS TABLE (key_version integer, count bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'rewrap', true);
  RETURN QUERY
  SELECT e.key_version, count(*)
  FROM public.webhook_endpoints AS e
  WHERE e.key_version IS NOT NULL
  GROUP BY 1;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION
  check_encryption_keys(jsonb), list_keys_to_rewrap(integer, text, text, integer), count_user_key_versions(),
  count_file_key_versions(), count_webhook_key_versions()
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  check_encryption_keys(jsonb), list_keys_to_rewrap(integer, text, text, integer), count_user_key_versions(),
  count_file_key_versions(), count_webhook_key_versions()
  TO cardbridge_service;
