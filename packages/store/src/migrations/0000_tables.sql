CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "kyc_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"platform_id" text NOT NULL,
	"record_id" text NOT NULL,
	"source" text NOT NULL,
	"settlement" text NOT NULL,
	"status" text,
	"sub_status" text,
	"card_account_id" text,
	"observed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "kyc_history" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "kyc_records" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"user_id" text NOT NULL,
	"request" jsonb NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"settlement" text NOT NULL,
	"status" text,
	"sub_status" text,
	"card_account_id" text,
	"attempt" integer NOT NULL,
	"lease_until" timestamp with time zone,
	"due_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"answered_at" timestamp with time zone,
	CONSTRAINT "kyc_records_of_platform" UNIQUE("platform_id","id"),
	CONSTRAINT "kyc_records_due_while_unsettled" CHECK (settlement <> 'unsettled' or due_at is not null)
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
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"member_id" text NOT NULL,
	"email" text NOT NULL,
	"email_normalized" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_member" UNIQUE("platform_id","member_id"),
	CONSTRAINT "users_email" UNIQUE("platform_id","email_normalized"),
	CONSTRAINT "users_of_platform" UNIQUE("platform_id","id")
);
--> statement-breakpoint
ALTER TABLE "users" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_history" ADD CONSTRAINT "kyc_history_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD CONSTRAINT "kyc_records_user" FOREIGN KEY ("platform_id","user_id") REFERENCES "public"."users"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kyc_history_of_record" ON "kyc_history" USING btree ("platform_id","record_id","id");--> statement-breakpoint
CREATE INDEX "kyc_records_latest" ON "kyc_records" USING btree ("platform_id","user_id","created_at" desc);--> statement-breakpoint
CREATE INDEX "kyc_records_due" ON "kyc_records" USING btree ("due_at") WHERE "kyc_records"."due_at" is not null;--> statement-breakpoint
CREATE POLICY "of_platform" ON "api_keys" AS PERMISSIVE FOR ALL TO public USING ("api_keys"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_finds_keys" ON "api_keys" AS PERMISSIVE FOR SELECT TO current_user USING (true);--> statement-breakpoint
CREATE POLICY "of_platform" ON "kyc_history" AS PERMISSIVE FOR ALL TO public USING ("kyc_history"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "of_platform" ON "kyc_records" AS PERMISSIVE FOR ALL TO public USING ("kyc_records"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "of_platform" ON "platforms" AS PERMISSIVE FOR ALL TO public USING ("platforms"."id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "of_platform" ON "users" AS PERMISSIVE FOR ALL TO public USING ("users"."platform_id" = current_setting('cardbridge.platform', true));