-- Reads over several platforms: a role that only selects, without encrypted columns, and sees the platforms of the setting
-- cardbridge.platforms. Roles belong to the whole cluster: another database may create this role at the same time.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cardbridge_operators') THEN
    CREATE ROLE cardbridge_operators NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$$;--> statement-breakpoint
CREATE TABLE "audit_exports" (
	"platform_id" text NOT NULL,
	"month" date NOT NULL,
	"first_number" integer NOT NULL,
	"last_number" integer NOT NULL,
	"last_hash" "bytea" NOT NULL,
	"entries" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"exported_by" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"exported_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dropped_at" timestamp with time zone,
	CONSTRAINT "audit_exports_platform_id_month_pk" PRIMARY KEY("platform_id","month")
);--> statement-breakpoint
ALTER TABLE "audit_exports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_reads" (
	"day" date NOT NULL,
	"platform_id" text NOT NULL,
	"subject" text NOT NULL,
	"operation" text NOT NULL,
	"actor" text NOT NULL,
	"address" text NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "audit_reads_of_day" PRIMARY KEY("day","platform_id","subject","operation","actor","address")
);--> statement-breakpoint
ALTER TABLE "audit_reads" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "backups" (
	"step" text NOT NULL,
	"kind" text NOT NULL,
	"ok" boolean NOT NULL,
	"finished_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "backups_in_order" PRIMARY KEY("step","finished_at"),
	CONSTRAINT "backups_step" CHECK ("backups"."step" in ('made', 'verified')),
	CONSTRAINT "backups_kind" CHECK ("backups"."kind" in ('dump', 'base'))
);
--> statement-breakpoint
ALTER TABLE "backups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "document_requests" (
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"id" text NOT NULL,
	"provider_id" text NOT NULL,
	"document_type" text NOT NULL,
	"accepts" text[] NOT NULL,
	"reason" text,
	"requested_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"status" text NOT NULL,
	"revision" bigint NOT NULL,
	"together" text,
	"source" text NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"sent_at" timestamp with time zone,
	"encrypted" "bytea",
	"fingerprint" "bytea",
	"attempted_at" timestamp with time zone,
	"not_found" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "document_requests_platform_id_record_id_id_pk" PRIMARY KEY("platform_id","record_id","id"),
	CONSTRAINT "document_requests_of_provider" UNIQUE("platform_id","record_id","provider_id"),
	CONSTRAINT "document_requests_status" CHECK ("document_requests"."status" in ('open', 'answered', 'closed')),
	CONSTRAINT "document_requests_reason" CHECK ("document_requests"."reason" in ('DOCUMENT_UNREADABLE', 'DOCUMENT_EXPIRED', 'DOCUMENT_UNSUPPORTED', 'DOCUMENT_MISMATCH', 'SELFIE_UNREADABLE', 'SELFIE_MISMATCH', 'NAME_MISMATCH', 'BIRTHDAY_MISMATCH', 'ADDRESS_MISMATCH', 'SUPPORTING_DOCUMENT_MISSING', 'SUPPORTING_DOCUMENT_INSUFFICIENT', 'SUPPORTING_DOCUMENT_OUTDATED', 'FILE_UNREACHABLE', 'FILE_TYPE_UNSUPPORTED', 'UNDER_AGE', 'COUNTRY_UNSUPPORTED', 'OTHER')),
	CONSTRAINT "document_requests_answer" CHECK (num_nonnulls(encrypted, fingerprint) in (0, 2))
);--> statement-breakpoint
ALTER TABLE "document_requests" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "evidence_openings" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"person_id" text NOT NULL,
	"purpose" text NOT NULL,
	"audit_id" bigint NOT NULL,
	"evidence_hash" text NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "evidence_openings_purpose" CHECK ("evidence_openings"."purpose" in ('review', 'fraud', 'person', 'authority', 'quality'))
);--> statement-breakpoint
ALTER TABLE "evidence_openings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
);--> statement-breakpoint
ALTER TABLE "holds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
	CONSTRAINT "kyc_attempts_platform_id_record_id_number_pk" PRIMARY KEY("platform_id","record_id","number")
);--> statement-breakpoint
ALTER TABLE "kyc_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pauses" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"reason" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"paused_by" text NOT NULL,
	"person_id" text,
	"paused_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"resumed_by" text,
	"ended_at" timestamp with time zone
);--> statement-breakpoint
ALTER TABLE "pauses" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "persons" (
	"id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject_index" "bytea" NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"data_key" "bytea" NOT NULL,
	"key_version" integer NOT NULL,
	"roles" text[] NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"blocked_at" timestamp with time zone,
	CONSTRAINT "persons_identity" UNIQUE("issuer","subject_index")
);--> statement-breakpoint
ALTER TABLE "persons" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "proposals" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"user_id" text NOT NULL,
	"record_id" text,
	"hold_id" text,
	"kind" text NOT NULL,
	"actor" text NOT NULL,
	"proposer" text,
	"seen" text NOT NULL,
	"evidence_hash" text,
	"encrypted" "bytea",
	"proposed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp with time zone DEFAULT clock_timestamp() + interval '24 hours' NOT NULL,
	"decision" text,
	"confirmer" text,
	"withdrawer" text,
	"decided_at" timestamp with time zone,
	CONSTRAINT "proposals_kind" CHECK ("proposals"."kind" in ('approve', 'relink', 'erase', 'liftHold')),
	CONSTRAINT "proposals_decision" CHECK ("proposals"."decision" in ('confirmed', 'withdrawn')),
	CONSTRAINT "proposals_two_persons" CHECK (proposer <> confirmer),
	CONSTRAINT "proposals_decided_at" CHECK (num_nonnulls(decision, decided_at) in (0, 2)),
	CONSTRAINT "proposals_confirmer" CHECK ((confirmer is not null) = (decision is not distinct from 'confirmed')),
	CONSTRAINT "proposals_subject" CHECK ((kind = 'liftHold') = (hold_id is not null) and (kind = 'approve') = (evidence_hash is not null) and (kind <> 'approve' or record_id is not null))
);--> statement-breakpoint
ALTER TABLE "proposals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "record_assignments" (
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"assignee" text,
	"role" text,
	"version" integer NOT NULL,
	"assigned_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "record_assignments_platform_id_record_id_pk" PRIMARY KEY("platform_id","record_id"),
	CONSTRAINT "record_assignments_one" CHECK (num_nonnulls(assignee, role) <= 1)
);--> statement-breakpoint
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
);--> statement-breakpoint
ALTER TABLE "record_notes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "erasure_log" (
	"user_id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"number" bigint,
	"at" timestamp (3) with time zone,
	"previous_hash" "bytea",
	"hash" "bytea",
	"stored_at" timestamp with time zone,
	CONSTRAINT "erasure_log_number" UNIQUE("number"),
	CONSTRAINT "erasure_log_whole" CHECK (num_nonnulls(number, at, previous_hash, hash) in (0, 4))
);--> statement-breakpoint
ALTER TABLE "erasure_log" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "provider_lookups" (
	"id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"due_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "provider_lookups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "restored_executions" (
	"reference" text PRIMARY KEY NOT NULL,
	"user_reference" text NOT NULL,
	"fingerprint" text,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
ALTER TABLE "restored_executions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "restores" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "restores_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"begun_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp with time zone,
	"listed" boolean DEFAULT false NOT NULL
);--> statement-breakpoint
ALTER TABLE "restores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "service_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"version" text NOT NULL,
	"commit" text,
	"host" text NOT NULL,
	"files" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "service_processes_role" CHECK ("service_processes"."role" in ('all', 'api', 'worker'))
);--> statement-breakpoint
ALTER TABLE "service_processes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_event_types";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_disabled_reason";--> statement-breakpoint
ALTER TABLE "webhook_events" DROP CONSTRAINT "webhook_events_type";--> statement-breakpoint
ALTER TABLE "webhook_events" DROP CONSTRAINT "webhook_events_content";--> statement-breakpoint
ALTER TABLE "kyc_history" DROP CONSTRAINT "kyc_history_source";--> statement-breakpoint
ALTER TABLE "kyc_history" DROP CONSTRAINT "kyc_history_resolution";--> statement-breakpoint
ALTER TABLE "kyc_history" DROP CONSTRAINT "kyc_history_status";--> statement-breakpoint
ALTER TABLE "kyc_records" DROP CONSTRAINT "kyc_records_resolution";--> statement-breakpoint
ALTER TABLE "kyc_records" DROP CONSTRAINT "kyc_records_status";--> statement-breakpoint
ALTER TABLE "kyc_records" DROP CONSTRAINT "kyc_records_step";--> statement-breakpoint
ALTER TABLE "webhook_events" DROP CONSTRAINT "webhook_events_kyc_history_id_kyc_history_id_fk";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "audit_checkpoints" ADD COLUMN "root" "bytea";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "count" integer;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "purpose" text;--> statement-breakpoint
ALTER TABLE "kyc_history" ADD COLUMN "actor" text;--> statement-breakpoint
ALTER TABLE "kyc_history" ADD COLUMN "event" jsonb;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "requeued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "approved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "renews" text;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "document_expiry" text;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "document_check_at" timestamp with time zone DEFAULT 'epoch'::timestamptz;--> statement-breakpoint
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence_openings" ADD CONSTRAINT "evidence_openings_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_user" FOREIGN KEY ("platform_id","user_id") REFERENCES "public"."users"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_attempts" ADD CONSTRAINT "kyc_attempts_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pauses" ADD CONSTRAINT "pauses_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_user" FOREIGN KEY ("platform_id","user_id") REFERENCES "public"."users"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_hold" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_assignments" ADD CONSTRAINT "record_assignments_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_notes" ADD CONSTRAINT "record_notes_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "document_requests_waiting" ON "document_requests" USING btree ("platform_id","status","due_at") WHERE status <> 'closed' and sent_at is null;--> statement-breakpoint
CREATE INDEX "evidence_openings_of_record" ON "evidence_openings" USING btree ("platform_id","record_id");--> statement-breakpoint
CREATE INDEX "evidence_openings_expired" ON "evidence_openings" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "holds_of_user" ON "holds" USING btree ("platform_id","user_id");--> statement-breakpoint
CREATE INDEX "holds_of_record" ON "holds" USING btree ("platform_id","record_id") WHERE "holds"."record_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "pauses_open" ON "pauses" USING btree ("platform_id") WHERE "pauses"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "pauses_of_platform" ON "pauses" USING btree ("platform_id","paused_at");--> statement-breakpoint
CREATE INDEX "proposals_newest" ON "proposals" USING btree ("proposed_at","id");--> statement-breakpoint
CREATE INDEX "proposals_undecided" ON "proposals" USING btree ("expires_at") WHERE "proposals"."decision" is null;--> statement-breakpoint
CREATE INDEX "proposals_of_user" ON "proposals" USING btree ("platform_id","user_id");--> statement-breakpoint
CREATE INDEX "proposals_of_record" ON "proposals" USING btree ("platform_id","record_id") WHERE "proposals"."record_id" is not null;--> statement-breakpoint
CREATE INDEX "proposals_of_hold" ON "proposals" USING btree ("hold_id") WHERE "proposals"."hold_id" is not null;--> statement-breakpoint
CREATE INDEX "record_assignments_of_person" ON "record_assignments" USING btree ("assignee","platform_id","record_id") WHERE "record_assignments"."assignee" is not null;--> statement-breakpoint
CREATE INDEX "record_assignments_of_role" ON "record_assignments" USING btree ("role","platform_id","record_id") WHERE "record_assignments"."role" is not null;--> statement-breakpoint
CREATE INDEX "record_notes_of_record" ON "record_notes" USING btree ("platform_id","record_id","created_at");--> statement-breakpoint
CREATE INDEX "erasure_log_pending" ON "erasure_log" USING btree ("number") WHERE stored_at is null;--> statement-breakpoint
CREATE INDEX "provider_lookups_due" ON "provider_lookups" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "restored_executions_fingerprint" ON "restored_executions" USING btree ("fingerprint");--> statement-breakpoint
CREATE INDEX "restored_executions_user" ON "restored_executions" USING btree ("user_reference");--> statement-breakpoint
-- NOT VALID: the existing rows satisfy the constraints, and a check of them would block a large table.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_operators_are_internal" CHECK ("api_keys"."platform_id" = 'internal' or array_to_string("api_keys"."scopes", ' ') !~ '(^| )ops[.]') NOT VALID;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_disabled_reason" CHECK ("webhook_endpoints"."disabled_reason" in ('requested', 'gone', 'failing', 'backlog')) NOT VALID;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_event_types" CHECK (event_types <@ array['kyc.updated', 'kyc.request_updated', 'kyc.document_expiring', 'kyc.document_expired', 'card.updated', 'webhook.endpoint_disabled'] and cardinality(event_types) > 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_type" CHECK ("webhook_events"."type" in ('kyc.updated', 'kyc.request_updated', 'kyc.document_expiring', 'kyc.document_expired', 'card.updated', 'webhook.endpoint_disabled', 'webhook.test')) NOT VALID;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_content" CHECK (case when type = 'kyc.updated' then num_nonnulls(kyc_history_id, sequence) = 2 and data is null when type like 'kyc.%' then num_nonnulls(kyc_history_id, sequence, data) = 3 else num_nonnulls(kyc_history_id, sequence) = 0 and data is not null end) NOT VALID;--> statement-breakpoint
CREATE POLICY "owner_drop_audit" ON "audit_checkpoints" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'drop_audit');--> statement-breakpoint
CREATE POLICY "operators_read" ON "audit_entries" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "audit_entries"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_count_reads" ON "audit_entries" AS PERMISSIVE FOR INSERT TO current_user WITH CHECK (current_setting('cardbridge.task', true) = 'count_reads');--> statement-breakpoint
CREATE POLICY "owner_drop_audit" ON "audit_entries" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'drop_audit');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "files" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "operators_read" ON "kyc_history" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "kyc_history"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "kyc_history" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "operators_read" ON "kyc_records" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "kyc_records"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "kyc_records" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_webhooks" ON "kyc_records" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_webhooks');--> statement-breakpoint
CREATE POLICY "operators_read" ON "platforms" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "platforms"."id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "provider_steps" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "operators_read" ON "users" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "users"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "operators_read" ON "webhook_attempts" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "webhook_attempts"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "operators_read" ON "webhook_deliveries" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "webhook_deliveries"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "webhook_deliveries" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "operators_read" ON "webhook_endpoints" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "webhook_endpoints"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "operators_read" ON "webhook_events" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "webhook_events"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "webhook_events" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "audit_exports" AS PERMISSIVE FOR ALL TO public USING ("audit_exports"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "audit_exports" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "audit_exports"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_drop_audit" ON "audit_exports" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'drop_audit');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "audit_reads" AS PERMISSIVE FOR ALL TO public USING ("audit_reads"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_count_reads" ON "audit_reads" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'count_reads');--> statement-breakpoint
CREATE POLICY "owner_drop_audit" ON "audit_reads" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'drop_audit');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "document_requests" AS PERMISSIVE FOR ALL TO public USING ("document_requests"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "document_requests" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "document_requests"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_read_records" ON "document_requests" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_records');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "document_requests" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "evidence_openings" AS PERMISSIVE FOR ALL TO public USING ("evidence_openings"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "evidence_openings" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "evidence_openings"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_sweep_openings" ON "evidence_openings" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_openings');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "holds" AS PERMISSIVE FOR ALL TO public USING ("holds"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "holds" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "holds"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_erase" ON "holds" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "holds" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_webhooks" ON "holds" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_webhooks');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "kyc_attempts" AS PERMISSIVE FOR ALL TO public USING ("kyc_attempts"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "kyc_attempts" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "kyc_attempts"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "pauses" AS PERMISSIVE FOR ALL TO public USING ("pauses"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "pauses" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "pauses"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_read_pauses" ON "pauses" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_pauses');--> statement-breakpoint
CREATE POLICY "persons_of_all" ON "persons" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "proposals" AS PERMISSIVE FOR ALL TO public USING ("proposals"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "proposals" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "proposals"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_read_proposals" ON "proposals" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_proposals');--> statement-breakpoint
CREATE POLICY "owner_sweep_openings" ON "proposals" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_openings');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "proposals" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "provider_lookups_of_all" ON "provider_lookups" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "record_assignments" AS PERMISSIVE FOR ALL TO public USING ("record_assignments"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "record_assignments" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "record_assignments"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "record_notes" AS PERMISSIVE FOR ALL TO public USING ("record_notes"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_erase" ON "record_notes" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "erasure_log" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "restored_executions_of_all" ON "restored_executions" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
CREATE POLICY "backups_of_all" ON "backups" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
CREATE POLICY "restores_of_all" ON "restores" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
CREATE POLICY "owner_track_processes" ON "service_processes" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'track_processes');
