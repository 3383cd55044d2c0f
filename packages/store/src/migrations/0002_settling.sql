ALTER TABLE "kyc_records" DROP CONSTRAINT "kyc_records_due_while_unsettled";--> statement-breakpoint
DROP INDEX "kyc_records_due";--> statement-breakpoint
ALTER TABLE "kyc_history" ADD COLUMN "revision" integer;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "revision" integer;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "step" text DEFAULT 'send' NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "not_found" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "held_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "kyc_records_due" ON "kyc_records" USING btree ("settlement" desc,"due_at") WHERE "kyc_records"."due_at" is not null;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD CONSTRAINT "kyc_records_due_while_unsettled" CHECK (settlement <> 'unsettled' or due_at is not null or held_at is not null);--> statement-breakpoint
CREATE POLICY "owner_takes_due" ON "kyc_records" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'take_due');