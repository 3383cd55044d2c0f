CREATE TABLE "known_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"ring_version" integer,
	"check_value" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "known_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_member";--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_email";--> statement-breakpoint
ALTER TABLE "kyc_records" ALTER COLUMN "fingerprint" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "sealed" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "member_id_index" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_index" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sealed" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "data_key" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "key_version" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "erase_requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "idempotency_keys_of_record" ON "idempotency_keys" USING btree ("platform_id","record_id");--> statement-breakpoint
CREATE INDEX "users_key_version" ON "users" USING btree ("key_version") WHERE "users"."key_version" is not null;--> statement-breakpoint
CREATE INDEX "users_to_erase" ON "users" USING btree ("erase_requested_at") WHERE "users"."erase_requested_at" is not null and "users"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "users_to_expire" ON "users" USING btree ("created_at") WHERE "users"."erase_requested_at" is null;--> statement-breakpoint
ALTER TABLE "kyc_records" DROP COLUMN "request";--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "member_id";--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "email";--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "email_normalized";--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_member" UNIQUE("platform_id","member_id_index");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_email" UNIQUE("platform_id","email_index");--> statement-breakpoint
ALTER TABLE "kyc_records" ADD CONSTRAINT "kyc_records_whole_until_erased" CHECK (num_nonnulls(sealed, fingerprint) in (0, 2));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_whole_until_erased" CHECK (num_nonnulls(member_id_index, email_index, sealed, data_key, key_version) = case when erased_at is null then 5 else 0 end);--> statement-breakpoint
CREATE POLICY "owner_erase" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "kyc_records" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "owner_check_keys" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'check_keys');--> statement-breakpoint
CREATE POLICY "owner_rewrap" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'rewrap');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "owner_check_keys" ON "known_keys" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'check_keys');