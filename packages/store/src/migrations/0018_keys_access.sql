-- The platform that keys of internal apps belong to: it has no users.
SELECT set_config('cardbridge.platform', 'internal', true);
--> statement-breakpoint
INSERT INTO platforms (id, name) VALUES ('internal', 'Internal apps') ON CONFLICT DO NOTHING;
--> statement-breakpoint
SELECT set_config('cardbridge.platform', '', true);
--> statement-breakpoint
-- Keys and platforms are made by the service. It can make a key and end one: never read a hash, nor have a key
-- live longer, do more, or come back.
GRANT INSERT, UPDATE (name) ON platforms TO cardbridge_service;
--> statement-breakpoint
GRANT INSERT (id, platform_id, name, prefix, hash, scopes, expires_at) ON api_keys TO cardbridge_service;
--> statement-breakpoint
GRANT SELECT (id, platform_id, name, prefix, scopes, expires_at, revoked_at, created_at, last_used_at)
  ON api_keys TO cardbridge_service;
--> statement-breakpoint
-- The live key with this SHA-256. When it was last used is written once a minute: most look-ups write nothing,
-- and none waits for another that does.
CREATE FUNCTION use_api_key(key_hash bytea)
RETURNS TABLE (key_id text, platform_id text, scopes text[])
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  last_used timestamptz;
BEGIN
  SELECT k.id, k.platform_id, k.scopes, k.last_used_at INTO key_id, platform_id, scopes, last_used
  FROM public.api_keys AS k
  WHERE k.hash = key_hash
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now());
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF last_used IS NULL OR last_used <= now() - interval '1 minute' THEN
    PERFORM set_config('cardbridge.task', 'use_api_key', true);
    UPDATE public.api_keys AS k SET last_used_at = now()
    WHERE k.id = (
      SELECT u.id FROM public.api_keys AS u
      WHERE u.id = use_api_key.key_id
        AND (u.last_used_at IS NULL OR u.last_used_at <= now() - interval '1 minute')
      FOR NO KEY UPDATE SKIP LOCKED
    );
    PERFORM set_config('cardbridge.task', '', true);
  END IF;
  RETURN NEXT;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION use_api_key(bytea) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION use_api_key(bytea) TO cardbridge_service;
--> statement-breakpoint
-- For the version before this one, while it still serves: it does not know keys of internal apps.
CREATE OR REPLACE FUNCTION find_api_key(key_hash bytea)
RETURNS TABLE (key_id text, platform_id text, scopes text[])
LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.platform_id, k.scopes
  FROM public.api_keys AS k
  WHERE k.hash = key_hash
    AND k.platform_id <> 'internal'
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
$$;
--> statement-breakpoint
-- Whose a key is: people name it by its id alone.
CREATE FUNCTION platform_of_key(key_id text)
RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.platform_id FROM public.api_keys AS k WHERE k.id = key_id
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION platform_of_key(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION platform_of_key(text) TO cardbridge_service;
--> statement-breakpoint
-- The keys of one platform or, where none is named, of all: everything but their hashes.
CREATE FUNCTION list_api_keys(only_platform text, most integer)
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
  LIMIT least(most, 1000)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION list_api_keys(text, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION list_api_keys(text, integer) TO cardbridge_service;
--> statement-breakpoint
-- Has a key of the platform that is set expire after the overlap at the latest: it only ever shortens.
CREATE FUNCTION retire_api_key(key_id text, overlap interval)
RETURNS void
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.api_keys AS k SET expires_at = least(k.expires_at, now() + overlap)
  WHERE k.id = key_id AND k.platform_id = current_setting('cardbridge.platform', true)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION retire_api_key(text, interval) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION retire_api_key(text, interval) TO cardbridge_service;
--> statement-breakpoint
-- Ends a key of the platform that is set, for ever.
CREATE FUNCTION revoke_api_key(key_id text)
RETURNS void
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.api_keys AS k SET revoked_at = now()
  WHERE k.id = key_id AND k.revoked_at IS NULL
    AND k.platform_id = current_setting('cardbridge.platform', true)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION revoke_api_key(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION revoke_api_key(text) TO cardbridge_service;
--> statement-breakpoint
-- The platforms, oldest first, without that of the internal apps.
CREATE FUNCTION list_platforms(most integer)
RETURNS TABLE (id text, name text, created_at timestamptz)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'list_platforms', true);
  RETURN QUERY
  SELECT p.id, p.name, p.created_at
  FROM public.platforms AS p
  WHERE p.id <> 'internal'
  ORDER BY p.created_at, p.id
  LIMIT least(most, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION list_platforms(integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION list_platforms(integer) TO cardbridge_service;
