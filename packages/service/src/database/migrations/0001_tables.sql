CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash"),
	CONSTRAINT "api_keys_admin_is_internal" CHECK ("api_keys"."platform_id" = 'internal' or not ('admin' = any("api_keys"."scopes")))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"platform_id" text NOT NULL,
	"number" integer NOT NULL,
	"first_txid" bigint NOT NULL,
	"first_id" bigint NOT NULL,
	"last_txid" bigint NOT NULL,
	"last_id" bigint NOT NULL,
	"count" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_checkpoints_platform_id_number_pk" PRIMARY KEY("platform_id","number")
);
--> statement-breakpoint
ALTER TABLE "audit_checkpoints" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"platform_id" text NOT NULL,
	"actor" text NOT NULL,
	"operation" text NOT NULL,
	"subject" text,
	"outcome" text NOT NULL,
	"request_id" text,
	"address" text,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"txid" bigint DEFAULT audit_txid(pg_current_xact_id()) NOT NULL,
	CONSTRAINT "audit_entries_platform_id_txid_id_at_pk" PRIMARY KEY("platform_id","txid","id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER TABLE "audit_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "known_encryption_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"ring_version" integer,
	"check_value" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "known_encryption_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "file_usage" (
	"platform_id" text PRIMARY KEY NOT NULL,
	"files" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "file_usage_not_negative" CHECK (files >= 0 and bytes >= 0)
);
--> statement-breakpoint
ALTER TABLE "file_usage" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "files" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"user_id" text,
	"purpose" text NOT NULL,
	"content_type" text NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"blob_name" text NOT NULL,
	"data_key" "bytea",
	"key_version" integer,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"stored_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"upload_id" text,
	"upload_fingerprint" "bytea",
	CONSTRAINT "files_purpose" CHECK ("files"."purpose" in ('document_front', 'document_back', 'selfie', 'supporting_document')),
	CONSTRAINT "files_content_type" CHECK ("files"."content_type" in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
	CONSTRAINT "files_used_or_expiring" CHECK (expires_at is not null or (user_id is not null and data_key is not null)),
	CONSTRAINT "files_uploaded_bytes" CHECK ((upload_id is null) = (upload_fingerprint is null))
);
--> statement-breakpoint
ALTER TABLE "files" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"platform_id" text NOT NULL,
	"operation" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"record_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_platform_id_operation_key_hash_pk" PRIMARY KEY("platform_id","operation","key_hash")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "kyc_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"source" text NOT NULL,
	"resolution" text NOT NULL,
	"status" text,
	"sub_status" text,
	"card_account_id" text,
	"revision" bigint,
	"explanation" jsonb,
	"restricted_reasons" text[] DEFAULT '{}' NOT NULL,
	"observed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"txid" bigint DEFAULT audit_txid(pg_current_xact_id()) NOT NULL,
	CONSTRAINT "kyc_history_resolution" CHECK ("kyc_history"."resolution" in ('unresolved', 'answered', 'refused')),
	CONSTRAINT "kyc_history_status" CHECK ("kyc_history"."status" in ('PENDING', 'PENDING_APPROVAL', 'APPROVED', 'REJECTED')),
	CONSTRAINT "kyc_history_source" CHECK ("kyc_history"."source" in ('submission', 'provider', 'event', 'person'))
);
--> statement-breakpoint
ALTER TABLE "kyc_history" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "kyc_records" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"user_id" text NOT NULL,
	"encrypted" "bytea",
	"fingerprint" "bytea",
	"resolution" text NOT NULL,
	"status" text,
	"sub_status" text,
	"card_account_id" text,
	"revision" bigint,
	"explanation" jsonb,
	"attempt" integer NOT NULL,
	"step" text DEFAULT 'send' NOT NULL,
	"not_found" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"due_at" timestamp with time zone,
	"needs_attention_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"answered_at" timestamp with time zone,
	"traceparent" text DEFAULT nullif(current_setting('cardbridge.traceparent', true), ''),
	CONSTRAINT "kyc_records_of_platform" UNIQUE("platform_id","id"),
	CONSTRAINT "kyc_records_resolution" CHECK ("kyc_records"."resolution" in ('unresolved', 'answered', 'refused')),
	CONSTRAINT "kyc_records_status" CHECK ("kyc_records"."status" in ('PENDING', 'PENDING_APPROVAL', 'APPROVED', 'REJECTED')),
	CONSTRAINT "kyc_records_step" CHECK ("kyc_records"."step" in ('send', 'ask')),
	CONSTRAINT "kyc_records_due_while_unresolved" CHECK (resolution <> 'unresolved' or due_at is not null or needs_attention_since is not null),
	CONSTRAINT "kyc_records_whole_until_erased" CHECK (num_nonnulls(encrypted, fingerprint) in (0, 2))
);
--> statement-breakpoint
ALTER TABLE "kyc_records" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "platforms" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "platforms_id_given" CHECK ("platforms"."id" <> '')
);
--> statement-breakpoint
ALTER TABLE "platforms" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "provider_steps" (
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"name" text NOT NULL,
	"attempt" integer NOT NULL,
	"result" jsonb NOT NULL,
	"kept_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "provider_steps_platform_id_record_id_name_pk" PRIMARY KEY("platform_id","record_id","name")
);
--> statement-breakpoint
ALTER TABLE "provider_steps" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "service_environment" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "service_environment_one_row" CHECK ("service_environment"."only_row"),
	CONSTRAINT "service_environment_known" CHECK ("service_environment"."name" in ('test', 'live'))
);
--> statement-breakpoint
ALTER TABLE "service_environment" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"member_id_index" "bytea",
	"email_index" "bytea",
	"encrypted" "bytea",
	"data_key" "bytea",
	"key_version" integer,
	"imported" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"erase_requested_at" timestamp with time zone,
	"erased_at" timestamp with time zone,
	CONSTRAINT "users_member" UNIQUE("platform_id","member_id_index"),
	CONSTRAINT "users_email" UNIQUE("platform_id","email_index"),
	CONSTRAINT "users_of_platform" UNIQUE("platform_id","id"),
	CONSTRAINT "users_whole_until_erased" CHECK (case when erased_at is null then num_nonnulls(member_id_index, encrypted, data_key, key_version) = 4 else num_nonnulls(member_id_index, email_index, encrypted, data_key, key_version) = 0 end)
);
--> statement-breakpoint
ALTER TABLE "users" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"platform_id" text NOT NULL,
	"delivery_id" text NOT NULL,
	"lease" integer NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"milliseconds" integer NOT NULL,
	"status" integer,
	"reason" text,
	"excerpt" "bytea",
	CONSTRAINT "webhook_attempts_platform_id_delivery_id_lease_pk" PRIMARY KEY("platform_id","delivery_id","lease"),
	CONSTRAINT "webhook_attempts_reason" CHECK ("webhook_attempts"."reason" in ('address-unusable', 'connection-refused', 'tls-failed', 'deadline', 'connection-lost', 'answer-invalid', 'stopped')),
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
	"attempts" integer DEFAULT 0 NOT NULL,
	"redeliveries" integer DEFAULT 0 NOT NULL,
	"redeliveries_since" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"due_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"traceparent" text DEFAULT nullif(current_setting('cardbridge.traceparent', true), ''),
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
	"encrypted" "bytea",
	"data_key" "bytea",
	"key_version" integer,
	"previous_secret_until" timestamp with time zone,
	"disabled_reason" text,
	"disabled_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"succeeded" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "webhook_endpoints_disabled_reason" CHECK ("webhook_endpoints"."disabled_reason" in ('requested', 'gone', 'failing')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (num_nonnulls(disabled_reason, disabled_at) in (0, 2)),
	CONSTRAINT "webhook_endpoints_event_types" CHECK (event_types <@ array['kyc.updated', 'card.updated'] and cardinality(event_types) > 0),
	CONSTRAINT "webhook_endpoints_whole_until_deleted" CHECK (num_nonnulls(encrypted, data_key, key_version) = case when deleted_at is null then 3 else 0 end)
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
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_usage" ADD CONSTRAINT "file_usage_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_user" FOREIGN KEY ("platform_id","user_id") REFERENCES "public"."users"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_history" ADD CONSTRAINT "kyc_history_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD CONSTRAINT "kyc_records_user" FOREIGN KEY ("platform_id","user_id") REFERENCES "public"."users"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_steps" ADD CONSTRAINT "provider_steps_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("platform_id","delivery_id") REFERENCES "public"."webhook_deliveries"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event" FOREIGN KEY ("platform_id","event_id") REFERENCES "public"."webhook_events"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_kyc_history_id_kyc_history_id_fk" FOREIGN KEY ("kyc_history_id") REFERENCES "public"."kyc_history"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "files_key_version" ON "files" USING btree ("key_version") WHERE "files"."key_version" is not null;--> statement-breakpoint
CREATE INDEX "files_of_user" ON "files" USING btree ("platform_id","user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "files_expiry" ON "files" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "files_upload" ON "files" USING btree ("platform_id","upload_id") WHERE upload_id is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_of_record" ON "idempotency_keys" USING btree ("platform_id","record_id");--> statement-breakpoint
CREATE INDEX "kyc_history_of_record" ON "kyc_history" USING btree ("platform_id","record_id","id");--> statement-breakpoint
CREATE INDEX "kyc_history_changes" ON "kyc_history" USING btree ("platform_id","txid","id");--> statement-breakpoint
CREATE INDEX "kyc_history_all_changes" ON "kyc_history" USING btree ("txid","id");--> statement-breakpoint
CREATE INDEX "kyc_records_latest" ON "kyc_records" USING btree ("user_id","created_at" desc);--> statement-breakpoint
CREATE INDEX "kyc_records_due" ON "kyc_records" USING btree ("platform_id","resolution","due_at") WHERE "kyc_records"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "kyc_records_need_attention" ON "kyc_records" USING btree ("needs_attention_since") WHERE "kyc_records"."needs_attention_since" is not null;--> statement-breakpoint
CREATE INDEX "provider_steps_by_id" ON "provider_steps" USING btree ("name",(result ->> 'id'));--> statement-breakpoint
CREATE INDEX "users_key_version" ON "users" USING btree ("key_version") WHERE "users"."key_version" is not null;--> statement-breakpoint
CREATE INDEX "users_to_erase" ON "users" USING btree ("erase_requested_at") WHERE "users"."erase_requested_at" is not null and "users"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "users_to_expire" ON "users" USING btree ("created_at") WHERE "users"."erase_requested_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_event" ON "webhook_deliveries" USING btree ("platform_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","created_at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_status" ON "webhook_deliveries" USING btree ("endpoint_id","status","created_at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_record" ON "webhook_deliveries" USING btree ("platform_id","record_id") WHERE "webhook_deliveries"."record_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","due_at","id") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_order" ON "webhook_deliveries" USING btree ("endpoint_id","record_id","sequence") WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."record_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_of_platform" ON "webhook_endpoints" USING btree ("platform_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_key_version" ON "webhook_endpoints" USING btree ("key_version") WHERE "webhook_endpoints"."key_version" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_age" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "api_keys" AS PERMISSIVE FOR ALL TO public USING ("api_keys"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_read_api_keys" ON "api_keys" AS PERMISSIVE FOR SELECT TO current_user USING (true);--> statement-breakpoint
CREATE POLICY "owner_find_api_keys" ON "api_keys" AS PERMISSIVE FOR UPDATE TO current_user USING (current_setting('cardbridge.task', true) = 'find_api_keys');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "audit_checkpoints" AS PERMISSIVE FOR ALL TO public USING ("audit_checkpoints"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_checkpoint_audit" ON "audit_checkpoints" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'checkpoint_audit');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "audit_entries" AS PERMISSIVE FOR ALL TO public USING ("audit_entries"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_checkpoint_audit" ON "audit_entries" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'checkpoint_audit');--> statement-breakpoint
CREATE POLICY "owner_check_encryption_keys" ON "known_encryption_keys" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'check_encryption_keys');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "file_usage" AS PERMISSIVE FOR ALL TO public USING ("file_usage"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_expire_files" ON "file_usage" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'expire_files');--> statement-breakpoint
CREATE POLICY "owner_list_platforms" ON "file_usage" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'list_platforms');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "files" AS PERMISSIVE FOR ALL TO public USING ("files"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_read_files" ON "files" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_files');--> statement-breakpoint
CREATE POLICY "owner_check_encryption_keys" ON "files" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'check_encryption_keys');--> statement-breakpoint
CREATE POLICY "owner_expire_files" ON "files" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'expire_files');--> statement-breakpoint
CREATE POLICY "owner_rewrap" ON "files" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'rewrap');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "files" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO public USING ("idempotency_keys"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_delete_idempotency_keys" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'delete_idempotency_keys');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "kyc_history" AS PERMISSIVE FOR ALL TO public USING ("kyc_history"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_checkpoint_audit" ON "kyc_history" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'checkpoint_audit');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "kyc_records" AS PERMISSIVE FOR ALL TO public USING ("kyc_records"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_lease_due" ON "kyc_records" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'lease_due');--> statement-breakpoint
CREATE POLICY "owner_read_records" ON "kyc_records" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_records');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "kyc_records" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "platforms" AS PERMISSIVE FOR ALL TO public USING ("platforms"."id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_list_platforms" ON "platforms" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'list_platforms');--> statement-breakpoint
CREATE POLICY "owner_checkpoint_audit" ON "platforms" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'checkpoint_audit');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "provider_steps" AS PERMISSIVE FOR ALL TO public USING ("provider_steps"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_read_records" ON "provider_steps" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_records');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "provider_steps" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "environment_of_all" ON "service_environment" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "users" AS PERMISSIVE FOR ALL TO public USING ("users"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_check_encryption_keys" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'check_encryption_keys');--> statement-breakpoint
CREATE POLICY "owner_rewrap" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'rewrap');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
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
CREATE POLICY "owner_sweep_webhooks" ON "webhook_events" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_webhooks');