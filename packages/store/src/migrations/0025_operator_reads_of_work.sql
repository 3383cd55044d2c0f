CREATE POLICY "operators_read" ON "kyc_attempts" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "kyc_attempts"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));
--> statement-breakpoint
CREATE POLICY "operators_read" ON "record_assignments" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "record_assignments"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));
GRANT SELECT (platform_id, record_id, number, outcome, reason, last_started_at, count)
  ON kyc_attempts TO cardbridge_operators;
GRANT SELECT (platform_id, record_id, assignee, version) ON record_assignments TO cardbridge_operators;
