CREATE TABLE "pauses" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"reason" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"ramp_until" timestamp with time zone NOT NULL,
	"paused_by" text NOT NULL,
	"person_id" text,
	"paused_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"resumed_by" text,
	"ended_at" timestamp with time zone,
	CONSTRAINT "pauses_ramp_after_end" CHECK ("pauses"."ramp_until" >= coalesce("pauses"."ended_at", "pauses"."until"))
);
--> statement-breakpoint
ALTER TABLE "pauses" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "pauses" ADD CONSTRAINT "pauses_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "pauses_open" ON "pauses" USING btree ("platform_id") WHERE "pauses"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "pauses_current" ON "pauses" USING btree ("ramp_until");--> statement-breakpoint
CREATE INDEX "pauses_of_platform" ON "pauses" USING btree ("platform_id","paused_at");--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "pauses" AS PERMISSIVE FOR ALL TO public USING ("pauses"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "pauses" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "pauses"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_read_pauses" ON "pauses" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_pauses');--> statement-breakpoint
ALTER TABLE pauses FORCE ROW LEVEL SECURITY;

GRANT SELECT ON pauses TO cardbridge_service;
GRANT INSERT (id, platform_id, reason, until, ramp_until, paused_by, person_id) ON pauses TO cardbridge_service;
-- A pause only ends. Its target, its reason and its time stay as the operator gave them.
GRANT UPDATE (resumed_by, ended_at, ramp_until) ON pauses TO cardbridge_service;
GRANT SELECT ON pauses TO cardbridge_operators;

-- The pauses of the provider and of all platforms that are active or ramp up, with the milliseconds until the end of both.
-- Every process runs it once a second.
CREATE FUNCTION current_pauses()
RETURNS TABLE (id text, platform_id text, reason text, ends_at timestamptz, ends_in double precision, ramp_in double precision)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := clock_timestamp();
BEGIN
  PERFORM set_config('cardbridge.task', 'read_pauses', true);
  RETURN QUERY
  SELECT p.id, p.platform_id, p.reason, coalesce(p.ended_at, p.until),
         (1000 * extract(epoch FROM coalesce(p.ended_at, p.until) - present))::double precision,
         (1000 * extract(epoch FROM p.ramp_until - present))::double precision
  FROM public.pauses AS p
  WHERE p.ramp_until > present;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- The platform of a pause, for a caller who knows its id alone.
CREATE FUNCTION platform_of_pause(pause_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  result text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_pauses', true);
  SELECT p.platform_id INTO result FROM public.pauses AS p WHERE p.id = pause_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN result;
END
$$;

-- For how long the provider was paused since a time. Workers could not attempt a record for this long.
CREATE FUNCTION provider_paused_since(since timestamptz)
RETURNS interval
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := clock_timestamp();
  result interval;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_pauses', true);
  SELECT sum(least(coalesce(p.ended_at, p.until), present) - greatest(p.paused_at, since)) INTO result
  FROM public.pauses AS p
  WHERE p.platform_id = 'internal' AND p.paused_at < present AND coalesce(p.ended_at, p.until) > since;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN coalesce(result, interval '0');
END
$$;

REVOKE ALL ON FUNCTION current_pauses(), platform_of_pause(text), provider_paused_since(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION current_pauses(), platform_of_pause(text), provider_paused_since(timestamptz)
  TO cardbridge_service;
