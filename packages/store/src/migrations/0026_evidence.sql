CREATE TABLE "evidence_openings" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"person_id" text NOT NULL,
	"purpose" text NOT NULL,
	"audit_id" bigint NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "evidence_openings_purpose" CHECK ("evidence_openings"."purpose" in ('review', 'fraud', 'person', 'authority', 'quality'))
);
--> statement-breakpoint
ALTER TABLE "evidence_openings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "purpose" text;--> statement-breakpoint
ALTER TABLE "evidence_openings" ADD CONSTRAINT "evidence_openings_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evidence_openings_of_record" ON "evidence_openings" USING btree ("platform_id","record_id");--> statement-breakpoint
CREATE INDEX "evidence_openings_expired" ON "evidence_openings" USING btree ("expires_at");--> statement-breakpoint
-- NOT VALID: the existing rows have no purpose, and a check of them would block a large table.
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_purpose" CHECK (purpose in ('review', 'fraud', 'person', 'authority', 'quality')) NOT VALID;--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "evidence_openings" AS PERMISSIVE FOR ALL TO public USING ("evidence_openings"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_sweep_openings" ON "evidence_openings" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_openings');--> statement-breakpoint
ALTER TABLE evidence_openings FORCE ROW LEVEL SECURITY;

-- Only open_evidence writes an opening, and only sweep_openings deletes one.
GRANT SELECT ON evidence_openings TO cardbridge_service;

GRANT INSERT (purpose) ON audit_entries TO cardbridge_service;
GRANT SELECT (purpose) ON audit_entries TO cardbridge_operators;

-- As before, with the check constraint, which a partition needs as well. Creates the partitions of this month and the
-- next ones, so that a month can be exported and dropped.
CREATE OR REPLACE FUNCTION create_audit_months(months integer)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
  month timestamptz;
  name text;
BEGIN
  FOR month IN
    SELECT date_trunc('month', now()) + number * interval '1 month' FROM generate_series(0, months - 1) AS number
  LOOP
    name := to_char(month, '"audit_entries_"YYYY_MM');
    CONTINUE WHEN to_regclass(format('public.%I', name)) IS NOT NULL OR EXISTS (
      SELECT FROM public.audit_entries_default WHERE at >= month AND at < month + interval '1 month'
    );
    EXECUTE format('CREATE TABLE public.%I (LIKE public.audit_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
    EXECUTE format(
      'ALTER TABLE public.audit_entries ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
      name, month, month + interval '1 month'
    );
  END LOOP;
END
$$;

-- Opens a record's evidence on the current platform for a known person for 15 minutes, and audits it. Returns what is
-- read; no row if the record does not exist.
CREATE FUNCTION open_evidence(
  opening_id text, record_id text, person_id text, purpose text, actor text, request_id text, address text
)
RETURNS TABLE (
  audit_id bigint, opened_at timestamptz, expires_at timestamptz, version text, fingerprint bytea, encrypted bytea,
  user_id text, data_key bytea, key_version integer
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
BEGIN
  IF purpose IS NULL OR NOT starts_with(actor, person_id || '/')
    OR NOT EXISTS (SELECT FROM public.persons AS k WHERE k.id = person_id) THEN
    RAISE EXCEPTION 'an opening needs a purpose, and a known person as its actor' USING ERRCODE = 'check_violation';
  END IF;
  SELECT r.fingerprint, r.encrypted, u.id, u.data_key, u.key_version,
    (SELECT max(h.id)::text FROM public.kyc_history AS h WHERE h.platform_id = platform AND h.record_id = r.id)
  INTO fingerprint, encrypted, user_id, data_key, key_version, version
  FROM public.kyc_records AS r
  JOIN public.users AS u ON u.platform_id = r.platform_id AND u.id = r.user_id
  WHERE r.platform_id = platform AND r.id = record_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO public.audit_entries AS e (platform_id, actor, operation, subject, outcome, request_id, address, purpose)
  VALUES (platform, actor, 'records.submission', record_id, 'done', request_id, address, purpose)
  RETURNING e.id, e.at INTO audit_id, opened_at;
  expires_at := opened_at + interval '15 minutes';
  INSERT INTO public.evidence_openings (
    id, platform_id, record_id, person_id, purpose, audit_id, opened_at, expires_at
  )
  VALUES (opening_id, platform, record_id, person_id, purpose, audit_id, opened_at, expires_at);
  RETURN NEXT;
END
$$;

-- Reads the restricted reasons of a record on the current platform, oldest first, for an entry of the audit that names a
-- known person and the record. The entry is at most a minute old, and was committed before: a rollback of the read does not
-- remove it.
CREATE FUNCTION restricted_reasons(record_id text, entry_txid bigint, entry_id bigint)
RETURNS TABLE (reason text, observed_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.audit_entries AS e
    JOIN public.persons AS k ON k.id = split_part(e.actor, '/', 1)
    WHERE e.platform_id = platform AND e.txid = entry_txid AND e.id = entry_id
      AND e.at > clock_timestamp() - interval '1 minute'
      AND e.txid <> public.audit_txid(pg_current_xact_id())
      AND e.operation = 'records.restrictedReasons' AND e.subject = record_id AND e.outcome = 'done'
      AND position('/' IN e.actor) > 0
  ) THEN
    RAISE EXCEPTION 'restricted reasons need a committed entry of a known person' USING ERRCODE = 'check_violation';
  END IF;
  RETURN QUERY
    SELECT restricted.name, h.observed_at
    FROM public.kyc_history AS h
    CROSS JOIN LATERAL unnest(h.restricted_reasons) WITH ORDINALITY AS restricted (name, nth)
    WHERE h.platform_id = platform AND h.record_id = restricted_reasons.record_id
    ORDER BY h.id, restricted.nth;
END
$$;

-- Deletes openings that expired a day ago.
CREATE FUNCTION sweep_openings(max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  deleted bigint;
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep_openings', true);
  WITH expired AS (
    SELECT o.id FROM public.evidence_openings AS o
    WHERE o.expires_at < clock_timestamp() - interval '1 day'
    ORDER BY o.expires_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  )
  DELETE FROM public.evidence_openings AS o USING expired AS e WHERE o.id = e.id;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN deleted;
END
$$;

REVOKE ALL ON FUNCTION
  open_evidence(text, text, text, text, text, text, text), restricted_reasons(text, bigint, bigint),
  sweep_openings(integer)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  open_evidence(text, text, text, text, text, text, text), restricted_reasons(text, bigint, bigint),
  sweep_openings(integer)
  TO cardbridge_service;
