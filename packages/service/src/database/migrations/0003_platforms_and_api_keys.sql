-- Lists the platforms and their storage usage, oldest first, without the platform of the internal apps.
CREATE FUNCTION list_platforms(max_count integer)
RETURNS TABLE (id text, name text, created_at timestamptz, stored_files bigint, stored_bytes bigint)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'list_platforms', true);
  RETURN QUERY
  SELECT p.id, p.name, p.created_at, coalesce(u.files, 0), coalesce(u.bytes, 0)
  FROM public.platforms AS p LEFT JOIN public.file_usage AS u ON u.platform_id = p.id
  WHERE p.id <> 'internal'
  ORDER BY p.created_at, p.id
  LIMIT least(max_count, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Returns the live keys with these SHA-256 hashes, each with the position of its hash (from 1) and the seconds until it
-- expires. It also stores when they were last used, at most once a minute. Most calls write nothing, and with
-- SKIP LOCKED a call does not wait for another call that writes.
CREATE FUNCTION find_api_keys(key_hashes bytea[])
RETURNS TABLE (nth integer, key_id text, platform_id text, scopes text[], expires_in double precision)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  live record;
  stale text[] := '{}';
BEGIN
  FOR live IN
    SELECT wanted.nth, k.id, k.platform_id, k.scopes, k.last_used_at,
      extract(epoch FROM k.expires_at - clock_timestamp()) AS expires_in
    FROM unnest(key_hashes) WITH ORDINALITY AS wanted (hash, nth)
    JOIN public.api_keys AS k ON k.hash = wanted.hash
    WHERE k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now())
  LOOP
    IF live.last_used_at IS NULL OR live.last_used_at <= now() - interval '1 minute' THEN
      stale := stale || live.id;
    END IF;
    nth := live.nth;
    key_id := live.id;
    platform_id := live.platform_id;
    scopes := live.scopes;
    expires_in := live.expires_in;
    RETURN NEXT;
  END LOOP;
  IF stale <> '{}' THEN
    PERFORM set_config('cardbridge.task', 'find_api_keys', true);
    UPDATE public.api_keys AS k SET last_used_at = now()
    WHERE k.id IN (
      SELECT u.id FROM public.api_keys AS u
      WHERE u.id = ANY (stale)
        AND (u.last_used_at IS NULL OR u.last_used_at <= now() - interval '1 minute')
      FOR NO KEY UPDATE SKIP LOCKED
    );
    PERFORM set_config('cardbridge.task', '', true);
  END IF;
END
$$;

-- Returns the platform of a key, which operators identify by its id alone.
CREATE FUNCTION platform_of_api_key(key_id text)
RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.platform_id FROM public.api_keys AS k WHERE k.id = key_id
$$;

-- Lists the keys of one platform, or of all platforms when only_platform is NULL, without their hashes.
CREATE FUNCTION list_api_keys(only_platform text, max_count integer)
RETURNS TABLE (
  id text, platform_id text, name text, prefix text, scopes text[],
  created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.platform_id, k.name, k.prefix, k.scopes,
         k.created_at, k.expires_at, k.revoked_at, k.last_used_at
  FROM public.api_keys AS k
  WHERE only_platform IS NULL OR k.platform_id = only_platform
  ORDER BY k.platform_id, k.name, k.created_at DESC, k.id
  LIMIT least(max_count, 1000)
$$;

-- Expires a key of the current platform after the overlap at the latest. It never extends a key.
CREATE FUNCTION retire_api_key(key_id text, overlap interval)
RETURNS void
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.api_keys AS k SET expires_at = least(k.expires_at, now() + overlap)
  WHERE k.id = key_id AND k.platform_id = current_setting('cardbridge.platform', true)
$$;

-- Revokes a key of the current platform permanently.
CREATE FUNCTION revoke_api_key(key_id text)
RETURNS void
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.api_keys AS k SET revoked_at = now()
  WHERE k.id = key_id AND k.revoked_at IS NULL
    AND k.platform_id = current_setting('cardbridge.platform', true)
$$;

REVOKE ALL ON FUNCTION
  list_platforms(integer), find_api_keys(bytea[]), platform_of_api_key(text),
  list_api_keys(text, integer), retire_api_key(text, interval), revoke_api_key(text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  list_platforms(integer), find_api_keys(bytea[]), platform_of_api_key(text),
  list_api_keys(text, integer), retire_api_key(text, interval), revoke_api_key(text)
  TO cardbridge_service;
