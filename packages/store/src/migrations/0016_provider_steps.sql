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
ALTER TABLE "provider_steps" ADD CONSTRAINT "provider_steps_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_steps_by_id" ON "provider_steps" USING btree ("name",(result ->> 'id'));--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "provider_steps" AS PERMISSIVE FOR ALL TO public USING ("provider_steps"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_read_records" ON "provider_steps" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_records');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "provider_steps" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
ALTER TABLE provider_steps FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (attempt, result, kept_at) ON provider_steps TO cardbridge_service;--> statement-breakpoint

-- As before, and deletes the results of the users' steps at the provider.
CREATE OR REPLACE FUNCTION erase_users(max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  locked text[];
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  locked := ARRAY(
    SELECT u.id FROM public.users AS u
    WHERE u.erase_requested_at IS NOT NULL AND u.erased_at IS NULL
      AND NOT EXISTS (
        SELECT FROM public.kyc_records AS r
        WHERE r.platform_id = u.platform_id AND r.user_id = u.id
          AND (r.settlement = 'unsettled' OR r.lease_until > clock_timestamp())
      )
    ORDER BY u.erase_requested_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  DELETE FROM public.idempotency_keys AS k
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND k.platform_id = r.platform_id AND k.record_id = r.id;
  DELETE FROM public.provider_steps AS s
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND s.platform_id = r.platform_id AND s.record_id = r.id;
  UPDATE public.kyc_records AS r
  SET sealed = NULL, fingerprint = NULL
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND r.platform_id = u.platform_id AND r.user_id = u.id;
  UPDATE public.files AS f
  SET data_key = NULL, expires_at = clock_timestamp()
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND f.platform_id = u.platform_id AND f.user_id = u.id;
  UPDATE public.users AS u
  SET member_id_index = NULL, email_index = NULL, sealed = NULL, data_key = NULL, key_version = NULL,
      erased_at = clock_timestamp()
  WHERE u.id = ANY (locked);
  PERFORM set_config('cardbridge.task', '', true);
  RETURN cardinality(locked);
END
$$;--> statement-breakpoint

-- The latest `id` of a step of a user's submissions; NULL if there is none.
CREATE FUNCTION find_step_id(step_name text, user_reference text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  SELECT s.result ->> 'id' INTO found
  FROM public.kyc_records AS r
  JOIN public.provider_steps AS s ON s.platform_id = r.platform_id AND s.record_id = r.id
  WHERE r.user_id = user_reference AND s.name = step_name AND s.result ->> 'id' IS NOT NULL
  ORDER BY r.created_at DESC, r.id DESC
  LIMIT 1;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN found;
END
$$;--> statement-breakpoint

-- The latest record with a step of this `id`, with its platform and user: the provider's answers name its own ids.
CREATE FUNCTION find_step_record(step_name text, step_id text)
RETURNS TABLE (platform_id text, record_id text, user_id text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  RETURN QUERY
  SELECT r.platform_id, r.id, r.user_id
  FROM public.provider_steps AS s
  JOIN public.kyc_records AS r ON r.platform_id = s.platform_id AND r.id = s.record_id
  WHERE s.name = step_name AND s.result ->> 'id' = step_id
  ORDER BY r.created_at DESC, r.id DESC
  LIMIT 1;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;--> statement-breakpoint

REVOKE ALL ON FUNCTION find_step_id(text, text), find_step_record(text, text) FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION find_step_id(text, text), find_step_record(text, text) TO cardbridge_service;
