-- Subscribers read changes in the order of their commits. The existing changes get the number of this transaction.
ALTER TABLE "kyc_history" ADD COLUMN "txid" bigint DEFAULT audit_txid(pg_current_xact_id()) NOT NULL;--> statement-breakpoint
CREATE INDEX "kyc_history_changes" ON "kyc_history" USING btree ("platform_id","txid","id");--> statement-breakpoint
CREATE POLICY "owner_seal_audit" ON "kyc_history" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'seal_audit');--> statement-breakpoint
GRANT SELECT (txid) ON kyc_history TO cardbridge_service;
