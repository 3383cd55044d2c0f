-- The records of all platforms that are due some time or held, for people to look at: ids and states, and
-- nothing of their content. Held ones first, then unsettled ones, each oldest first. Null filters nothing.
CREATE FUNCTION list_waiting(stuck_after interval, only_platform text, most integer)
RETURNS TABLE (
  platform_id text, id text, settlement text, attempt integer, step text, not_found integer,
  created_at timestamptz, due_at timestamptz, lease_until timestamptz, held_at timestamptz
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'look', true);
  RETURN QUERY
  SELECT r.platform_id, r.id, r.settlement, r.attempt, r.step, r.not_found,
         r.created_at, r.due_at, r.lease_until, r.held_at
  FROM public.kyc_records AS r
  WHERE (r.due_at IS NOT NULL OR r.held_at IS NOT NULL)
    AND (only_platform IS NULL OR r.platform_id = only_platform)
    AND (stuck_after IS NULL OR r.held_at IS NOT NULL
         OR (r.settlement = 'unsettled' AND r.created_at < clock_timestamp() - stuck_after))
  ORDER BY r.held_at IS NULL, r.settlement DESC, r.created_at, r.id
  LIMIT least(most, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION list_waiting(interval, text, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION list_waiting(interval, text, integer) TO cardbridge_service;
