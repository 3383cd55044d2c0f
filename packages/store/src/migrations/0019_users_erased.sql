-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS users_erased;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY users_erased ON users USING btree (erased_at) WHERE erased_at IS NOT NULL;
