CREATE TABLE "holds" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"user_id" text NOT NULL,
	"record_id" text,
	"reference" text NOT NULL,
	"until" timestamp with time zone,
	"placed_by" text NOT NULL,
	"placed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"lifted_by" text,
	"lifted_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "holds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_user" FOREIGN KEY ("platform_id","user_id") REFERENCES "public"."users"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holds_of_user" ON "holds" USING btree ("platform_id","user_id");--> statement-breakpoint
CREATE INDEX "holds_of_record" ON "holds" USING btree ("platform_id","record_id") WHERE "holds"."record_id" is not null;--> statement-breakpoint
CREATE POLICY "owner_sweep_webhooks" ON "kyc_records" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_webhooks');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "holds" AS PERMISSIVE FOR ALL TO public USING ("holds"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_erase" ON "holds" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "owner_sweep_webhooks" ON "holds" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_webhooks');--> statement-breakpoint
ALTER TABLE holds FORCE ROW LEVEL SECURITY;

-- The database sets the time of a hold, and only lift_hold ends one.
GRANT SELECT, INSERT (id, platform_id, user_id, record_id, reference, until, placed_by) ON holds TO cardbridge_service;

-- Whether an active hold covers a user, or one of the user's records.
CREATE FUNCTION is_held(held_platform text, held_user text)
RETURNS boolean
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM public.holds AS h
    WHERE h.platform_id = held_platform AND h.user_id = held_user
      AND h.lifted_at IS NULL AND (h.until IS NULL OR h.until > clock_timestamp())
  )
$$;

-- Lifts a hold of the current platform. A lifted hold stays unchanged.
CREATE FUNCTION lift_hold(hold_id text, actor text)
RETURNS void
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.holds AS h
  SET lifted_by = actor, lifted_at = clock_timestamp()
  WHERE h.id = hold_id AND h.lifted_at IS NULL AND h.platform_id = current_setting('cardbridge.platform', true)
$$;

-- As before, without users under a legal hold: a request would refuse their submissions while it waits for the hold.
-- Requests the erasure of users whose latest record is older than an age, or who are older themselves and have no
-- record. It locks the users before the second check, so that no submission can intervene.
CREATE OR REPLACE FUNCTION request_expired_erasures(age interval, max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  expired_before CONSTANT timestamptz := now() - age;
  locked text[];
  requested bigint;
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  locked := ARRAY(
    SELECT u.id FROM public.users AS u
    WHERE u.erase_requested_at IS NULL
      AND u.created_at < expired_before
      -- Not is_held, which every user would call.
      AND NOT EXISTS (
        SELECT FROM public.holds AS h
        WHERE h.platform_id = u.platform_id AND h.user_id = u.id
          AND h.lifted_at IS NULL AND (h.until IS NULL OR h.until > clock_timestamp())
      )
      AND NOT EXISTS (
        SELECT FROM public.kyc_records AS r
        WHERE r.platform_id = u.platform_id AND r.user_id = u.id
          AND (r.created_at >= expired_before OR r.resolution = 'unresolved')
      )
    ORDER BY u.created_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  UPDATE public.users AS u
  SET erase_requested_at = clock_timestamp()
  WHERE u.id = ANY (locked)
    AND NOT public.is_held(u.platform_id, u.id)
    AND NOT EXISTS (
      SELECT FROM public.kyc_records AS r
      WHERE r.platform_id = u.platform_id AND r.user_id = u.id
        AND (r.created_at >= expired_before OR r.resolution = 'unresolved')
    );
  GET DIAGNOSTICS requested = ROW_COUNT;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN requested;
END
$$;

-- As before, without the events and deliveries of records under a legal hold. Deletes events older than an age with
-- their deliveries, deletes deleted endpoints with their deliveries, and fails the pending deliveries of disabled
-- endpoints. Each step changes up to max_count rows; returns the total.
CREATE OR REPLACE FUNCTION sweep_webhooks(age interval, max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  changed bigint;
  held text[];
  total bigint := 0;
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep_webhooks', true);
  held := ARRAY(
    SELECT DISTINCT d.event_id
    FROM public.holds AS h
    JOIN public.kyc_records AS r
      ON r.platform_id = h.platform_id AND r.user_id = h.user_id AND (h.record_id IS NULL OR r.id = h.record_id)
    JOIN public.webhook_deliveries AS d ON d.platform_id = r.platform_id AND d.record_id = r.id
    WHERE h.lifted_at IS NULL AND (h.until IS NULL OR h.until > clock_timestamp())
  );
  DELETE FROM public.webhook_events AS v
  WHERE (v.platform_id, v.id) IN (
    SELECT o.platform_id, o.id FROM public.webhook_events AS o
    WHERE o.created_at < now() - age AND o.id <> ALL (held)
    ORDER BY o.created_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS changed = ROW_COUNT;
  total := total + changed;
  DELETE FROM public.webhook_deliveries AS d
  WHERE (d.platform_id, d.id) IN (
    SELECT o.platform_id, o.id
    FROM public.webhook_endpoints AS e JOIN public.webhook_deliveries AS o ON o.endpoint_id = e.id
    WHERE e.deleted_at IS NOT NULL AND o.event_id <> ALL (held)
    LIMIT max_count
    FOR UPDATE OF o SKIP LOCKED
  );
  GET DIAGNOSTICS changed = ROW_COUNT;
  total := total + changed;
  DELETE FROM public.webhook_endpoints AS e
  WHERE e.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM public.webhook_deliveries AS o WHERE o.endpoint_id = e.id);
  UPDATE public.webhook_deliveries AS d
  SET status = 'failed', due_at = NULL, lease_until = NULL
  WHERE (d.platform_id, d.id) IN (
    SELECT o.platform_id, o.id
    FROM public.webhook_endpoints AS e JOIN public.webhook_deliveries AS o ON o.endpoint_id = e.id
    WHERE e.disabled_at IS NOT NULL AND o.status = 'pending' AND coalesce(o.lease_until, '-infinity') <= clock_timestamp()
    LIMIT max_count
    FOR UPDATE OF o SKIP LOCKED
  );
  GET DIAGNOSTICS changed = ROW_COUNT;
  total := total + changed;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN total;
END
$$;

REVOKE ALL ON FUNCTION is_held(text, text), lift_hold(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_held(text, text), lift_hold(text, text) TO cardbridge_service;
