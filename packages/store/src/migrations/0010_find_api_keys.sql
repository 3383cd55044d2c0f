-- Returns the live keys with these SHA-256, each with the position of its hash from 1 and the seconds until it expires,
-- and stores when they were last used, at most once a minute. Most calls write nothing, and SKIP LOCKED keeps a call from waiting for another one that
-- does. Processes of 0.1.0 call use_api_key.
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
    PERFORM set_config('cardbridge.task', 'use_api_key', true);
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

REVOKE ALL ON FUNCTION find_api_keys(bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_keys(bytea[]) TO cardbridge_service;
