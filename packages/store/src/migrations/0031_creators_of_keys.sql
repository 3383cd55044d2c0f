-- The audit knows who created a key, until its month is exported and dropped. It is read before the new column locks the
-- table, which every call reads. A key of a rotation has no maker: its entry names the predecessor.
DO $$
DECLARE
  makers jsonb;
BEGIN
  PERFORM set_config('cardbridge.platform', 'internal', true);
  SELECT jsonb_object_agg(e.subject, e.actor) INTO makers
  FROM audit_entries AS e
  WHERE e.platform_id = 'internal' AND e.operation = 'keys.create' AND e.outcome = 'done' AND e.subject IS NOT NULL;
  PERFORM set_config('cardbridge.platform', '', true);

  ALTER TABLE api_keys ADD COLUMN created_by text;
  PERFORM set_config('cardbridge.task', 'find_api_keys', true);
  UPDATE api_keys SET created_by = makers ->> id WHERE makers ? id;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
GRANT SELECT (created_by), INSERT (created_by) ON api_keys TO cardbridge_service;
--> statement-breakpoint
-- As list_api_keys of 0029, which the earlier version calls, with the maker of each key. made_by filters by a person.
CREATE FUNCTION list_api_keys(
  only_platform text, only_state text, expires_within interval, unused_for interval, made_by text, max_count integer
)
RETURNS TABLE (
  id text, platform_id text, name text, prefix text, scopes text[], created_at timestamptz, created_by text,
  expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.platform_id, k.name, k.prefix, k.scopes, k.created_at, k.created_by, k.expires_at, k.revoked_at,
         k.last_used_at
  FROM public.api_keys AS k
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= clock_timestamp() THEN 'expired' ELSE 'live'
    END AS name
  ) AS state
  WHERE (only_platform IS NULL OR k.platform_id = only_platform)
    AND (only_state IS NULL OR state.name = only_state)
    AND (expires_within IS NULL OR (state.name = 'live' AND k.expires_at <= now() + expires_within))
    AND (unused_for IS NULL
      OR (state.name = 'live' AND coalesce(k.last_used_at, k.created_at) <= now() - unused_for))
    AND (made_by IS NULL OR split_part(k.created_by, '/', 1) = made_by)
  ORDER BY k.platform_id, k.name, k.created_at DESC, k.id
  LIMIT least(max_count, 1000)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION list_api_keys(text, text, interval, interval, text, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION list_api_keys(text, text, interval, interval, text, integer) TO cardbridge_service;
