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
$$;
--> statement-breakpoint
CREATE POLICY "operators_read" ON "audit_entries" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "audit_entries"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));
--> statement-breakpoint
CREATE POLICY "operators_read" ON "holds" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "holds"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));
--> statement-breakpoint
CREATE POLICY "operators_read" ON "kyc_history" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "kyc_history"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));
--> statement-breakpoint
CREATE POLICY "operators_read" ON "kyc_records" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "kyc_records"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));
--> statement-breakpoint
CREATE POLICY "operators_read" ON "platforms" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "platforms"."id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));
--> statement-breakpoint
CREATE POLICY "operators_read" ON "users" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "users"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));
GRANT USAGE ON SCHEMA public TO cardbridge_operators;
GRANT SELECT (id, name) ON platforms TO cardbridge_operators;
GRANT SELECT (id, platform_id, member_id_index, email_index, created_at, erase_requested_at, erased_at)
  ON users TO cardbridge_operators;
GRANT SELECT (
    id, platform_id, user_id, resolution, status, sub_status, card_account_id, explanation, due_at,
    needs_attention_since, created_at
  ) ON kyc_records TO cardbridge_operators;
GRANT SELECT (id, platform_id, record_id, resolution, status, observed_at, txid) ON kyc_history TO cardbridge_operators;
GRANT SELECT (platform_id, user_id, until, lifted_at) ON holds TO cardbridge_operators;
GRANT SELECT (id, platform_id, actor, operation, subject, outcome, request_id, address, at, txid, count)
  ON audit_entries TO cardbridge_operators;
GRANT EXECUTE ON FUNCTION audit_txid(xid8), is_held(text, text) TO cardbridge_operators;
