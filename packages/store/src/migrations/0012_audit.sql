CREATE TABLE "audit_entries" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"platform_id" text NOT NULL,
	"actor" text NOT NULL,
	"act" text NOT NULL,
	"subject" text,
	"outcome" text NOT NULL,
	"request_id" text,
	"address" text,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"txid" bigint DEFAULT audit_txid(pg_current_xact_id()) NOT NULL,
	CONSTRAINT "audit_entries_platform_id_txid_id_pk" PRIMARY KEY("platform_id","txid","id")
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_seals" (
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
	"sealed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_seals_platform_id_number_pk" PRIMARY KEY("platform_id","number")
);
--> statement-breakpoint
ALTER TABLE "audit_seals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "owner_seals_audit" ON "platforms" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'seal_audit');--> statement-breakpoint
CREATE POLICY "of_platform" ON "audit_entries" AS PERMISSIVE FOR ALL TO public USING ("audit_entries"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_seals_audit" ON "audit_entries" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'seal_audit');--> statement-breakpoint
CREATE POLICY "of_platform" ON "audit_seals" AS PERMISSIVE FOR ALL TO public USING ("audit_seals"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_seals_audit" ON "audit_seals" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'seal_audit');