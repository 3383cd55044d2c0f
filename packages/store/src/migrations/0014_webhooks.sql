CREATE TABLE "webhook_attempts" (
	"platform_id" text NOT NULL,
	"delivery_id" text NOT NULL,
	"lease" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"milliseconds" integer NOT NULL,
	"status" integer,
	"reason" text,
	"excerpt" "bytea",
	CONSTRAINT "webhook_attempts_platform_id_delivery_id_lease_pk" PRIMARY KEY("platform_id","delivery_id","lease"),
	CONSTRAINT "webhook_attempts_reason" CHECK ("webhook_attempts"."reason" in ('address-refused', 'name-not-found', 'connection-refused', 'tls-failed', 'deadline', 'connection-lost', 'answer-invalid', 'stopped')),
	CONSTRAINT "webhook_attempts_outcome" CHECK (num_nonnulls(status, reason) = 1)
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text NOT NULL,
	"platform_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"event_id" text NOT NULL,
	"record_id" text,
	"sequence" integer,
	"status" text NOT NULL,
	"lease" integer DEFAULT 0 NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"due_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_deliveries_platform_id_id_pk" PRIMARY KEY("platform_id","id"),
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_due_while_pending" CHECK ((status = 'pending') = (due_at is not null))
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"event_types" text[] NOT NULL,
	"description" text,
	"sealed" "bytea",
	"data_key" "bytea",
	"key_version" integer,
	"previous_secret_until" timestamp with time zone,
	"disabled_reason" text,
	"disabled_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"prompt" boolean DEFAULT false NOT NULL,
	"leased_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "webhook_endpoints_disabled_reason" CHECK ("webhook_endpoints"."disabled_reason" in ('requested', 'gone', 'failing')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (num_nonnulls(disabled_reason, disabled_at) in (0, 2)),
	CONSTRAINT "webhook_endpoints_event_types" CHECK (event_types <@ array['kyc.updated', 'card.updated'] and cardinality(event_types) > 0),
	CONSTRAINT "webhook_endpoints_whole_until_deleted" CHECK (num_nonnulls(sealed, data_key, key_version) = case when deleted_at is null then 3 else 0 end)
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text NOT NULL,
	"platform_id" text NOT NULL,
	"type" text NOT NULL,
	"kyc_history_id" bigint,
	"sequence" integer,
	"data" jsonb,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_events_platform_id_id_pk" PRIMARY KEY("platform_id","id"),
	CONSTRAINT "webhook_events_type" CHECK ("webhook_events"."type" in ('kyc.updated', 'card.updated', 'webhook.test')),
	CONSTRAINT "webhook_events_content" CHECK (case when type = 'kyc.updated' then num_nonnulls(kyc_history_id, sequence) = 2 and data is null else num_nonnulls(kyc_history_id, sequence) = 0 and data is not null end)
);
--> statement-breakpoint
ALTER TABLE "webhook_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("platform_id","delivery_id") REFERENCES "public"."webhook_deliveries"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event" FOREIGN KEY ("platform_id","event_id") REFERENCES "public"."webhook_events"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_kyc_history_id_kyc_history_id_fk" FOREIGN KEY ("kyc_history_id") REFERENCES "public"."kyc_history"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_event" ON "webhook_deliveries" USING btree ("platform_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","created_at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_record" ON "webhook_deliveries" USING btree ("platform_id","record_id") WHERE "webhook_deliveries"."record_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","due_at","id") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_order" ON "webhook_deliveries" USING btree ("endpoint_id","record_id","sequence") WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."record_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leased" ON "webhook_deliveries" USING btree ("endpoint_id") WHERE "webhook_deliveries"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_of_platform" ON "webhook_endpoints" USING btree ("platform_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_key_version" ON "webhook_endpoints" USING btree ("key_version") WHERE "webhook_endpoints"."key_version" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_age" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
CREATE POLICY "owner_read_webhooks" ON "users" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_webhooks');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "webhook_attempts" AS PERMISSIVE FOR ALL TO public USING ("webhook_attempts"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO public USING ("webhook_deliveries"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_lease_webhooks" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'lease_webhooks');--> statement-breakpoint
CREATE POLICY "owner_sweep_webhooks" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_webhooks');--> statement-breakpoint
CREATE POLICY "owner_read_webhooks" ON "webhook_deliveries" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_webhooks');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "webhook_endpoints" AS PERMISSIVE FOR ALL TO public USING ("webhook_endpoints"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_lease_webhooks" ON "webhook_endpoints" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'lease_webhooks');--> statement-breakpoint
CREATE POLICY "owner_sweep_webhooks" ON "webhook_endpoints" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_webhooks');--> statement-breakpoint
CREATE POLICY "owner_read_webhooks" ON "webhook_endpoints" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_webhooks');--> statement-breakpoint
CREATE POLICY "owner_check_encryption_keys" ON "webhook_endpoints" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'check_encryption_keys');--> statement-breakpoint
CREATE POLICY "owner_rewrap" ON "webhook_endpoints" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'rewrap');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "webhook_events" AS PERMISSIVE FOR ALL TO public USING ("webhook_events"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_sweep_webhooks" ON "webhook_events" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_webhooks');--> statement-breakpoint
ALTER TABLE webhook_endpoints FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook_events FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook_attempts FORCE ROW LEVEL SECURITY;

-- Only functions write events and deliveries, delete rows and take leases.
GRANT SELECT, INSERT, UPDATE (
    event_types, description, sealed, data_key, key_version, previous_secret_until, disabled_reason, disabled_at,
    failing_since, prompt, deleted_at
  ) ON webhook_endpoints TO cardbridge_service;
GRANT SELECT ON webhook_events TO cardbridge_service;
GRANT SELECT, UPDATE (status, attempt, lease_until, due_at, delivered_at) ON webhook_deliveries TO cardbridge_service;
GRANT SELECT, INSERT ON webhook_attempts TO cardbridge_service;

-- Creates an id that is ordered by time: a prefix, the milliseconds since 1970 and 56 random bits, in hexadecimal.
CREATE FUNCTION webhook_id(prefix text)
RETURNS text
LANGUAGE sql VOLATILE
AS $$
  SELECT prefix || '_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 14)
$$;

-- Writes an event of the current platform with a delivery to each endpoint that subscribes, or to only_endpoint.
-- A delivery to a disabled endpoint has failed. An event with a known id, or for no endpoint, is not written.
CREATE FUNCTION write_webhook_event(
  event_id text, event_type text, history_id bigint, record_id text, sequence integer, data jsonb, only_endpoint text
)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
BEGIN
  INSERT INTO public.webhook_events (id, platform_id, type, kyc_history_id, sequence, data)
  SELECT event_id, platform, event_type, history_id, write_webhook_event.sequence, write_webhook_event.data
  WHERE EXISTS (
    SELECT FROM public.webhook_endpoints AS e
    WHERE e.platform_id = platform AND e.deleted_at IS NULL
      AND CASE WHEN only_endpoint IS NULL THEN event_type = ANY (e.event_types) ELSE e.id = only_endpoint END
  )
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO public.webhook_deliveries (id, platform_id, endpoint_id, event_id, record_id, sequence, status, due_at)
  SELECT public.webhook_id('whd'), platform, e.id, write_webhook_event.event_id, write_webhook_event.record_id,
         write_webhook_event.sequence,
         CASE WHEN e.disabled_at IS NULL THEN 'pending' ELSE 'failed' END,
         CASE WHEN e.disabled_at IS NULL THEN clock_timestamp() END
  FROM public.webhook_endpoints AS e
  WHERE e.platform_id = platform AND e.deleted_at IS NULL
    AND CASE WHEN only_endpoint IS NULL THEN event_type = ANY (e.event_types) ELSE e.id = only_endpoint END;
END
$$;

-- Writes the event of a change in the change's own transaction. The number of the change counts the rows of the
-- record's history: every writer has locked the record.
CREATE FUNCTION write_kyc_event()
RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (
    SELECT FROM public.webhook_endpoints AS e
    WHERE e.platform_id = NEW.platform_id AND e.deleted_at IS NULL AND 'kyc.updated' = ANY (e.event_types)
  ) THEN
    PERFORM public.write_webhook_event(
      public.webhook_id('msg'), 'kyc.updated', NEW.id, NEW.record_id,
      (SELECT count(*)::integer FROM public.kyc_history AS h
       WHERE h.platform_id = NEW.platform_id AND h.record_id = NEW.record_id AND h.id <= NEW.id),
      NULL, NULL
    );
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER kyc_changed AFTER INSERT ON kyc_history FOR EACH ROW EXECUTE FUNCTION write_kyc_event();

-- Returns the platform of a user: the provider's events name a user and no platform.
CREATE FUNCTION platform_of_user(user_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  result text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_webhooks', true);
  SELECT u.platform_id INTO result FROM public.users AS u WHERE u.id = user_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN result;
END
$$;

-- Leases due deliveries of all platforms, up to a number for prompt endpoints and for others. Of one endpoint at most four
-- are leased at a time, or one if it is not prompt. Endpoints take turns; of one endpoint the oldest comes first. A delivery
-- waits for an earlier one of its record that is leased or was never attempted. Calls wait for each other, so that
-- each sees the leases of the one before.
CREATE FUNCTION lease_webhook_deliveries(max_prompt integer, max_slow integer, lease_time interval)
RETURNS TABLE (
  platform_id text, delivery_id text, endpoint_id text, lease integer, attempt integer, prompt boolean
)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  present timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('lease_webhook_deliveries'), 0);
  PERFORM set_config('cardbridge.task', 'lease_webhooks', true);
  present := clock_timestamp();
  RETURN QUERY
  WITH due AS (
    SELECT n.platform_id, n.id, n.nth, e.prompt, e.leased_at, e.id AS endpoint_id
    FROM public.webhook_endpoints AS e
    CROSS JOIN LATERAL (
      SELECT count(*) AS leased FROM public.webhook_deliveries AS b
      WHERE b.endpoint_id = e.id AND b.lease_until > present
    ) AS busy
    CROSS JOIN LATERAL (
      SELECT d.platform_id, d.id, row_number() OVER (ORDER BY d.due_at, d.id) + busy.leased AS nth
      FROM (
        SELECT p.platform_id, p.id, p.due_at FROM public.webhook_deliveries AS p
        WHERE p.endpoint_id = e.id AND p.status = 'pending' AND p.due_at <= present
          AND NOT EXISTS (
            SELECT FROM public.webhook_deliveries AS f
            WHERE f.endpoint_id = e.id AND f.record_id = p.record_id AND f.sequence < p.sequence
              AND f.status = 'pending' AND (f.attempt = 0 OR f.lease_until > present)
            OFFSET 0 -- otherwise it may become a join, which reads all rows of the endpoint
          )
        ORDER BY p.due_at, p.id
        LIMIT greatest(CASE WHEN e.prompt THEN 4 ELSE 1 END - busy.leased, 0)
      ) AS d
    ) AS n
    WHERE e.disabled_at IS NULL AND e.deleted_at IS NULL
      AND CASE WHEN e.prompt THEN max_prompt ELSE max_slow END > 0
  ), chosen AS (
    (SELECT * FROM due WHERE prompt ORDER BY nth, leased_at NULLS FIRST, id LIMIT max_prompt)
    UNION ALL
    (SELECT * FROM due WHERE NOT prompt ORDER BY nth, leased_at NULLS FIRST, id LIMIT max_slow)
  ), locked AS (
    SELECT d.platform_id, d.id, c.prompt
    FROM public.webhook_deliveries AS d
    JOIN chosen AS c ON c.platform_id = d.platform_id AND c.id = d.id
    WHERE d.status = 'pending' AND d.due_at <= present
    FOR UPDATE OF d SKIP LOCKED
  ), leased AS (
    UPDATE public.webhook_deliveries AS d
    SET lease = d.lease + 1, attempt = d.attempt + 1, lease_until = present + lease_time, due_at = present + lease_time
    FROM locked AS l
    WHERE d.platform_id = l.platform_id AND d.id = l.id
    RETURNING d.platform_id, d.id, d.endpoint_id, d.lease, d.attempt, l.prompt
  ), served AS (
    UPDATE public.webhook_endpoints AS e
    SET leased_at = present
    WHERE e.id IN (SELECT l.endpoint_id FROM leased AS l)
  )
  SELECT * FROM leased;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Counts the pending deliveries of all platforms, the seconds since the oldest became due, and the disabled endpoints.
CREATE FUNCTION count_webhook_deliveries()
RETURNS TABLE (pending bigint, oldest_seconds numeric, disabled_endpoints bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_webhooks', true);
  RETURN QUERY
  SELECT count(*),
         coalesce(round(greatest(extract(epoch FROM clock_timestamp() - min(d.due_at)), 0), 1), 0),
         (SELECT count(*) FROM public.webhook_endpoints AS e
          WHERE e.disabled_at IS NOT NULL AND e.deleted_at IS NULL)
  FROM public.webhook_deliveries AS d
  WHERE d.status = 'pending';
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Deletes events older than an age with their deliveries, deletes deleted endpoints with theirs, and fails what disabled
-- endpoints left pending. Each step changes up to max_count rows; returns how many all changed.
CREATE FUNCTION sweep_webhooks(age interval, max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  changed bigint;
  total bigint := 0;
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep_webhooks', true);
  DELETE FROM public.webhook_events AS v
  WHERE (v.platform_id, v.id) IN (
    SELECT o.platform_id, o.id FROM public.webhook_events AS o
    WHERE o.created_at < now() - age
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
    WHERE e.deleted_at IS NOT NULL
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

-- Counts the endpoints whose data keys are wrapped under each version of the key ring.
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

-- As before, and a version of the ring is also in use while webhook endpoints are under it.
CREATE OR REPLACE FUNCTION check_encryption_keys(input jsonb)
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

-- As before, and with the data keys of webhook endpoints.
CREATE OR REPLACE FUNCTION list_keys_to_rewrap(
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

REVOKE ALL ON FUNCTION
  webhook_id(text), write_webhook_event(text, text, bigint, text, integer, jsonb, text), write_kyc_event(),
  platform_of_user(text), lease_webhook_deliveries(integer, integer, interval), count_webhook_deliveries(),
  sweep_webhooks(interval, integer), count_webhook_key_versions()
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  write_webhook_event(text, text, bigint, text, integer, jsonb, text),
  platform_of_user(text), lease_webhook_deliveries(integer, integer, interval), count_webhook_deliveries(),
  sweep_webhooks(interval, integer), count_webhook_key_versions()
  TO cardbridge_service;
