CREATE TABLE "kyc_attempts" (
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"number" integer NOT NULL,
	"last_number" integer NOT NULL,
	"step" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"started_at" timestamp with time zone NOT NULL,
	"last_started_at" timestamp with time zone NOT NULL,
	"milliseconds" integer NOT NULL,
	"actor" text NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "kyc_attempts_platform_id_record_id_number_pk" PRIMARY KEY("platform_id","record_id","number"),
	CONSTRAINT "kyc_attempts_step" CHECK ("kyc_attempts"."step" in ('send', 'ask')),
	CONSTRAINT "kyc_attempts_outcome" CHECK ("kyc_attempts"."outcome" in ('answered', 'refused', 'not-found', 'unknown', 'unsent'))
);
--> statement-breakpoint
ALTER TABLE "kyc_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "record_assignments" (
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"assignee" text,
	"version" integer NOT NULL,
	"assigned_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "record_assignments_platform_id_record_id_pk" PRIMARY KEY("platform_id","record_id")
);
--> statement-breakpoint
ALTER TABLE "record_assignments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "record_notes" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"restricted" boolean NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"actor" text NOT NULL,
	"person_id" text,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "record_notes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "kyc_history" ADD COLUMN "actor" text;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "requeued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_attempts" ADD CONSTRAINT "kyc_attempts_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_assignments" ADD CONSTRAINT "record_assignments_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_notes" ADD CONSTRAINT "record_notes_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "record_assignments_of_person" ON "record_assignments" USING btree ("assignee","platform_id","record_id") WHERE "record_assignments"."assignee" is not null;--> statement-breakpoint
CREATE INDEX "record_notes_of_record" ON "record_notes" USING btree ("platform_id","record_id","created_at");--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "kyc_attempts" AS PERMISSIVE FOR ALL TO public USING ("kyc_attempts"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "record_assignments" AS PERMISSIVE FOR ALL TO public USING ("record_assignments"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "record_notes" AS PERMISSIVE FOR ALL TO public USING ("record_notes"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_erase" ON "record_notes" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
ALTER TABLE kyc_attempts FORCE ROW LEVEL SECURITY;
ALTER TABLE record_assignments FORCE ROW LEVEL SECURITY;
ALTER TABLE record_notes FORCE ROW LEVEL SECURITY;

GRANT SELECT (actor) ON kyc_history TO cardbridge_service;
GRANT UPDATE (requeued_at) ON kyc_records TO cardbridge_service;

-- Only record_attempt writes attempts.
GRANT SELECT ON kyc_attempts TO cardbridge_service;
GRANT SELECT, INSERT, UPDATE (assignee, version, assigned_at) ON record_assignments TO cardbridge_service;
-- The database sets the time of a note. Only an erasure deletes one.
GRANT SELECT, INSERT (id, platform_id, record_id, restricted, encrypted, actor, person_id)
  ON record_notes TO cardbridge_service;

-- Stores the end of an attempt on the current platform, in its row or in that of equal attempts before it. The first 5
-- and the last 45 rows remain. The caller has checked that the attempt owns the record.
CREATE FUNCTION record_attempt(
  record_id text, attempt integer, step text, outcome text, reason text, milliseconds integer, actor text
)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
  started CONSTANT timestamptz := clock_timestamp() - milliseconds * interval '1 millisecond';
BEGIN
  IF attempt > 1 THEN
    UPDATE public.kyc_attempts AS a
    SET last_number = attempt, last_started_at = started, milliseconds = record_attempt.milliseconds, count = a.count + 1
    WHERE a.platform_id = platform AND a.record_id = record_attempt.record_id
      AND a.number = (
        SELECT max(p.number) FROM public.kyc_attempts AS p
        WHERE p.platform_id = platform AND p.record_id = record_attempt.record_id
      )
      AND a.last_number < attempt
      AND (a.step, a.outcome, a.actor) = (step, outcome, actor) AND a.reason IS NOT DISTINCT FROM reason;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  INSERT INTO public.kyc_attempts (
    platform_id, record_id, number, last_number, step, outcome, reason, started_at, last_started_at, milliseconds, actor
  )
  VALUES (platform, record_id, attempt, attempt, step, outcome, reason, started, started, milliseconds, actor)
  ON CONFLICT DO NOTHING;
  IF attempt > 50 THEN
    DELETE FROM public.kyc_attempts AS a
    USING (
      SELECT p.number, row_number() OVER (ORDER BY p.number) AS first, row_number() OVER (ORDER BY p.number DESC) AS last
      FROM public.kyc_attempts AS p
      WHERE p.platform_id = platform AND p.record_id = record_attempt.record_id
    ) AS ranked
    WHERE a.platform_id = platform AND a.record_id = record_attempt.record_id AND a.number = ranked.number
      AND ranked.first > 5 AND ranked.last > 45;
  END IF;
END
$$;

-- Audits a read on the current platform once an hour: the first one of this actor and subject as an entry. Its row in
-- audit_reads has no count, so that upkeep deletes it without an entry. Returns whether it was the first one.
CREATE FUNCTION audit_hourly(actor text, operation text, subject text, request_id text, address text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
  is_first boolean;
BEGIN
  INSERT INTO public.audit_reads AS r (day, platform_id, subject, operation, actor, address)
  VALUES (clock_timestamp()::date, platform, subject, operation, actor, '')
  ON CONFLICT ON CONSTRAINT audit_reads_of_day
  DO UPDATE SET last_at = clock_timestamp() WHERE r.last_at < date_trunc('hour', clock_timestamp())
  RETURNING true INTO is_first;
  IF is_first THEN
    INSERT INTO public.audit_entries (platform_id, actor, operation, subject, outcome, request_id, address)
    VALUES (platform, actor, operation, subject, 'done', request_id, address);
  END IF;
  RETURN coalesce(is_first, false);
END
$$;

-- As before, with the notes. Erases users whose erasure is requested and stored in the erasure log.
CREATE OR REPLACE FUNCTION erase_users(max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  locked text[];
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  locked := ARRAY(
    SELECT u.id FROM public.users AS u
    WHERE u.erase_requested_at IS NOT NULL AND u.erased_at IS NULL
      AND EXISTS (SELECT FROM public.erasure_log AS l WHERE l.user_id = u.id AND l.stored_at IS NOT NULL)
      AND public.may_be_erased(u.platform_id, u.id)
    ORDER BY u.erase_requested_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  -- Again, now that nothing can intervene.
  locked := ARRAY(
    SELECT u.id FROM public.users AS u WHERE u.id = ANY (locked) AND public.may_be_erased(u.platform_id, u.id)
  );
  DELETE FROM public.idempotency_keys AS k
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND k.platform_id = r.platform_id AND k.record_id = r.id;
  DELETE FROM public.provider_steps AS s
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND s.platform_id = r.platform_id AND s.record_id = r.id;
  DELETE FROM public.record_notes AS n
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND n.platform_id = r.platform_id AND n.record_id = r.id;
  DELETE FROM public.restored_executions AS e WHERE e.user_reference = ANY (locked);
  UPDATE public.kyc_records AS r
  SET encrypted = NULL, fingerprint = NULL
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND r.platform_id = u.platform_id AND r.user_id = u.id;
  UPDATE public.files AS f
  SET data_key = NULL, expires_at = clock_timestamp()
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND f.platform_id = u.platform_id AND f.user_id = u.id;
  UPDATE public.users AS u
  SET member_id_index = NULL, email_index = NULL, encrypted = NULL, data_key = NULL, key_version = NULL,
      erased_at = clock_timestamp()
  WHERE u.id = ANY (locked);
  PERFORM set_config('cardbridge.task', '', true);
  RETURN cardinality(locked);
END
$$;

REVOKE ALL ON FUNCTION
  record_attempt(text, integer, text, text, text, integer, text), audit_hourly(text, text, text, text, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  record_attempt(text, integer, text, text, text, integer, text), audit_hourly(text, text, text, text, text)
  TO cardbridge_service;
