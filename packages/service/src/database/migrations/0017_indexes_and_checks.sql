-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS users_erased;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY users_erased ON users USING btree (erased_at) WHERE erased_at IS NOT NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_created;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY kyc_records_created ON kyc_records USING btree (created_at NULLS FIRST, id COLLATE "C");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_created_of_platform;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY kyc_records_created_of_platform ON kyc_records USING btree (platform_id COLLATE "C", created_at NULLS FIRST, id COLLATE "C");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_open;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY kyc_records_open ON kyc_records USING btree (created_at NULLS FIRST, id COLLATE "C", platform_id) WHERE due_at IS NOT NULL OR needs_attention_since IS NOT NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_needing_attention;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY kyc_records_needing_attention ON kyc_records USING btree (created_at NULLS FIRST, id COLLATE "C", platform_id) WHERE needs_attention_since IS NOT NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_decided;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY kyc_records_decided ON kyc_records USING btree (resolution, status, platform_id) WHERE due_at IS NULL AND needs_attention_since IS NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_documents;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY kyc_records_documents ON kyc_records USING btree (document_check_at) WHERE status = 'APPROVED' AND document_check_at IS NOT NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_expiring;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY kyc_records_expiring ON kyc_records USING btree (document_expiry, created_at NULLS FIRST, (id collate "C"), platform_id) WHERE status = 'APPROVED' AND document_expiry IN ('expiring', 'expired');
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_of_card;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY kyc_records_of_card ON kyc_records USING btree (card_account_id) WHERE card_account_id IS NOT NULL;
--> statement-breakpoint
-- kyc_records_needing_attention replaces it.
DROP INDEX CONCURRENTLY IF EXISTS kyc_records_need_attention;
--> statement-breakpoint
-- Each reads a whole table, while calls add rows.
ALTER TABLE webhook_endpoints VALIDATE CONSTRAINT webhook_endpoints_event_types;
--> statement-breakpoint
ALTER TABLE webhook_endpoints VALIDATE CONSTRAINT webhook_endpoints_disabled_reason;
--> statement-breakpoint
ALTER TABLE webhook_events VALIDATE CONSTRAINT webhook_events_type;
--> statement-breakpoint
ALTER TABLE webhook_events VALIDATE CONSTRAINT webhook_events_content;
--> statement-breakpoint
ALTER TABLE api_keys VALIDATE CONSTRAINT api_keys_operators_are_internal;
