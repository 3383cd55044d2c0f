ALTER TABLE "audit_checkpoints" ADD COLUMN "root" "bytea";--> statement-breakpoint
CREATE POLICY "operators_read" ON "audit_exports" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "audit_exports"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "operators_read" ON "webhook_attempts" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "webhook_attempts"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "operators_read" ON "webhook_deliveries" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "webhook_deliveries"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "operators_read" ON "webhook_endpoints" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "webhook_endpoints"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "operators_read" ON "webhook_events" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "webhook_events"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
GRANT SELECT (platform_id, month, dropped_at) ON audit_exports TO cardbridge_operators;
GRANT SELECT (id, platform_id, disabled_reason, disabled_at, failing_since, deleted_at)
  ON webhook_endpoints TO cardbridge_operators;
GRANT SELECT (id, platform_id, type) ON webhook_events TO cardbridge_operators;
GRANT SELECT (
    id, platform_id, endpoint_id, event_id, record_id, sequence, status, attempts, redeliveries, redeliveries_since,
    created_at, due_at, delivered_at
  ) ON webhook_deliveries TO cardbridge_operators;
GRANT SELECT (platform_id, delivery_id, lease, status, reason) ON webhook_attempts TO cardbridge_operators;

-- As list_api_keys(text, integer), which the earlier version calls, with filters. NULL does not filter. Only live keys
-- expire or are unused; a key without a call is unused since its creation.
CREATE FUNCTION list_api_keys(
  only_platform text, only_state text, expires_within interval, unused_for interval, max_count integer
)
RETURNS TABLE (
  id text, platform_id text, name text, prefix text, scopes text[],
  created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.platform_id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
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
  ORDER BY k.platform_id, k.name, k.created_at DESC, k.id
  LIMIT least(max_count, 1000)
$$;

REVOKE ALL ON FUNCTION list_api_keys(text, text, interval, interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_api_keys(text, text, interval, interval, integer) TO cardbridge_service;
