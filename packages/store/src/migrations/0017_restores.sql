CREATE TABLE "erasure_log" (
	"user_id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"number" bigint,
	"at" timestamp (3) with time zone,
	"previous_hash" "bytea",
	"hash" "bytea",
	"stored_at" timestamp with time zone,
	CONSTRAINT "erasure_log_number" UNIQUE("number"),
	CONSTRAINT "erasure_log_whole" CHECK (num_nonnulls(number, at, previous_hash, hash) in (0, 4))
);
--> statement-breakpoint
ALTER TABLE "erasure_log" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "restored_executions" (
	"reference" text PRIMARY KEY NOT NULL,
	"user_reference" text NOT NULL,
	"fingerprint" text,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "restored_executions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "restores" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "restores_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"begun_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp with time zone,
	"listed" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "restores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "kyc_history" DROP CONSTRAINT "kyc_history_source";--> statement-breakpoint
CREATE INDEX "erasure_log_pending" ON "erasure_log" USING btree ("number") WHERE stored_at is null;--> statement-breakpoint
CREATE INDEX "restored_executions_fingerprint" ON "restored_executions" USING btree ("fingerprint");--> statement-breakpoint
CREATE INDEX "restored_executions_user" ON "restored_executions" USING btree ("user_reference");--> statement-breakpoint
-- NOT VALID: the existing rows satisfy it, and a check of them would block a large table.
ALTER TABLE "kyc_history" ADD CONSTRAINT "kyc_history_source" CHECK ("kyc_history"."source" in ('submission', 'provider', 'event', 'person', 'restored')) NOT VALID;--> statement-breakpoint
CREATE POLICY "owner_erase" ON "erasure_log" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "restored_executions_of_all" ON "restored_executions" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
CREATE POLICY "restores_of_all" ON "restores" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
-- Users who were erased before the log existed belong in it too: an older backup contains them.
DO $$
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  INSERT INTO erasure_log (platform_id, user_id) SELECT platform_id, id FROM users WHERE erased_at IS NOT NULL;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
-- FORCE applies the policies to the owner of the tables too.
ALTER TABLE erasure_log FORCE ROW LEVEL SECURITY;
ALTER TABLE restores FORCE ROW LEVEL SECURITY;
ALTER TABLE restored_executions FORCE ROW LEVEL SECURITY;

GRANT SELECT, INSERT (checked_at, listed), UPDATE (checked_at, listed) ON restores TO cardbridge_service;
GRANT SELECT, INSERT ON restored_executions TO cardbridge_service;

-- Whether nothing prevents the erasure of a user: a legal hold, or a record that is unresolved or leased, does.
CREATE FUNCTION may_be_erased(erased_platform text, erased_user text)
RETURNS boolean
LANGUAGE sql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT NOT public.is_held(erased_platform, erased_user) AND NOT EXISTS (
    SELECT FROM public.kyc_records AS r
    WHERE r.platform_id = erased_platform AND r.user_id = erased_user
      AND (r.resolution = 'unresolved' OR r.lease_until > clock_timestamp())
  )
$$;

-- Adds the users who are due to be erased to the log, and returns its rows that are not yet part of the chain. The lock
-- lets one worker at a time extend the chain, until its transaction ends.
CREATE FUNCTION plan_erasures(max_count integer)
RETURNS TABLE (platform_id text, user_id text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('cardbridge.erasure_log', 0));
  PERFORM set_config('cardbridge.task', 'erase', true);
  INSERT INTO public.erasure_log (platform_id, user_id)
  SELECT u.platform_id, u.id FROM public.users AS u
  WHERE u.erase_requested_at IS NOT NULL AND u.erased_at IS NULL
    AND NOT EXISTS (SELECT FROM public.erasure_log AS l WHERE l.user_id = u.id)
    AND public.may_be_erased(u.platform_id, u.id)
  ORDER BY u.erase_requested_at
  LIMIT max_count
  ON CONFLICT DO NOTHING;
  -- Users who wait come before those who were erased before the log existed.
  RETURN QUERY
  (SELECT l.platform_id, l.user_id
   FROM public.users AS u JOIN public.erasure_log AS l ON l.user_id = u.id
   WHERE u.erase_requested_at IS NOT NULL AND u.erased_at IS NULL AND l.number IS NULL
   ORDER BY u.erase_requested_at
   LIMIT max_count)
  UNION ALL
  (SELECT l.platform_id, l.user_id
   FROM public.erasure_log AS l JOIN public.users AS u ON u.id = l.user_id
   WHERE l.number IS NULL AND l.stored_at IS NULL AND u.erased_at IS NOT NULL
   ORDER BY l.user_id
   LIMIT max_count)
  LIMIT max_count;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Returns the last entry of the log of erasures, number 0 without one, and the name of this database in the names of the
-- entries: the time when its first migration ran, which every backup contains.
CREATE FUNCTION read_erasure_log_end()
RETURNS TABLE (database_name text, number bigint, hash bytea)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  name text;
BEGIN
  PERFORM set_config('cardbridge.task', 'list_platforms', true);
  SELECT to_char(p.created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS') INTO name
  FROM public.platforms AS p WHERE p.id = 'internal';
  PERFORM set_config('cardbridge.task', 'erase', true);
  RETURN QUERY
  SELECT name, coalesce(max(l.number), 0), (array_agg(l.hash))[1]
  FROM (
    SELECT e.number, e.hash FROM public.erasure_log AS e WHERE e.number IS NOT NULL ORDER BY e.number DESC LIMIT 1
  ) AS l;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Stores entries of the log: those that extend the chain, or those that the file store has and a restored database lacks.
CREATE FUNCTION put_erasures(entries jsonb, in_file_store boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  INSERT INTO public.erasure_log (user_id, platform_id, number, at, previous_hash, hash, stored_at)
  SELECT e.user_id, e.platform_id, e.number, e.at, decode(e.previous_hash, 'hex'), decode(e.hash, 'hex'),
         CASE WHEN in_file_store THEN clock_timestamp() END
  FROM jsonb_to_recordset(entries)
    AS e (user_id text, platform_id text, number bigint, at timestamptz, previous_hash text, hash text)
  ON CONFLICT (user_id) DO UPDATE
  SET number = excluded.number, at = excluded.at, previous_hash = excluded.previous_hash, hash = excluded.hash,
      stored_at = excluded.stored_at;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Lists the entries of the chain that the file store may not have, oldest first.
CREATE FUNCTION list_unstored_erasures(max_count integer)
RETURNS TABLE (user_id text, platform_id text, number bigint, at timestamptz, previous_hash bytea, hash bytea)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  RETURN QUERY
  SELECT l.user_id, l.platform_id, l.number, l.at, l.previous_hash, l.hash
  FROM public.erasure_log AS l
  WHERE l.number IS NOT NULL AND l.stored_at IS NULL
  ORDER BY l.number
  LIMIT max_count;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Marks an entry that the file store has.
CREATE FUNCTION mark_erasure_stored(entry_number bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  UPDATE public.erasure_log AS l SET stored_at = clock_timestamp() WHERE l.number = entry_number;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- As before, and only users whose entry of the log is in the file store.
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
      AND EXISTS (SELECT FROM public.erasure_log AS l WHERE l.user_id = u.id AND l.stored_at IS NOT NULL)
      AND public.may_be_erased(u.platform_id, u.id)
    ORDER BY u.erase_requested_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  -- Again, now that nothing can intervene.
  locked := ARRAY(
    SELECT u.id FROM public.users AS u WHERE u.id = ANY (locked) AND public.may_be_erased(u.platform_id, u.id)
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
  DELETE FROM public.restored_executions AS e WHERE e.user_reference = ANY (locked);
  UPDATE public.kyc_records AS r
  SET encrypted = NULL, fingerprint = NULL
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND r.platform_id = u.platform_id AND r.user_id = u.id;
  UPDATE public.files AS f
  SET data_key = NULL, expires_at = clock_timestamp()
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND f.platform_id = u.platform_id AND f.user_id = u.id;
  UPDATE public.users AS u
  SET member_id_index = NULL, email_index = NULL, encrypted = NULL, data_key = NULL, key_version = NULL,
      erased_at = clock_timestamp()
  WHERE u.id = ANY (locked);
  PERFORM set_config('cardbridge.task', '', true);
  RETURN cardinality(locked);
END
$$;

-- Makes waiting records of all platforms due to be asked, in the order of their ids: after a restore, an attempt that the
-- database does not know may have sent them. No attempt is under way, so a lease ends. Returns the number and the last id.
CREATE FUNCTION ask_waiting_records(after_id text, max_count integer)
RETURNS TABLE (count bigint, last_id text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'lease_due', true);
  RETURN QUERY
  WITH waiting AS (
    SELECT w.id FROM public.kyc_records AS w
    WHERE (w.due_at IS NOT NULL OR w.needs_attention_since IS NOT NULL) AND w.id > after_id
    ORDER BY w.id
    LIMIT max_count
    FOR UPDATE
  ),
  asked AS (
    UPDATE public.kyc_records AS r
    SET step = 'ask', not_found = 0, lease_until = NULL, due_at = clock_timestamp()
    FROM waiting
    WHERE r.id = waiting.id
    RETURNING r.id
  )
  SELECT count(*), max(asked.id) FROM asked;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Lists the blobs of all platforms' files, in the order of the files' ids. A file without a key is being deleted, so its
-- blob may be missing, as is that of an upload under way.
CREATE FUNCTION list_blobs(after_id text, max_count integer)
RETURNS TABLE (id text, blob_name text, required boolean)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_files', true);
  RETURN QUERY
  SELECT f.id, f.blob_name, f.stored_at IS NOT NULL AND f.data_key IS NOT NULL
  FROM public.files AS f
  WHERE f.id > after_id
  ORDER BY f.id
  LIMIT max_count;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Returns the platform of a user and whether the user is erased, for an execution that the provider lists.
CREATE FUNCTION find_restored_user(user_id text)
RETURNS TABLE (platform_id text, erased boolean)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_webhooks', true);
  RETURN QUERY SELECT u.platform_id, u.erased_at IS NOT NULL FROM public.users AS u WHERE u.id = user_id;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Whether the log of erasures has a user.
CREATE FUNCTION is_in_erasure_log(user_reference text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  result boolean;
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  SELECT EXISTS (SELECT FROM public.erasure_log AS l WHERE l.user_id = user_reference) INTO result;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN result;
END
$$;

-- Lists all platforms with the time of their newest audit entry, which is how far a restored database reaches, and
-- whether the next transaction follows that entry.
CREATE FUNCTION list_audited_platforms()
RETURNS TABLE (platform_id text, newest_at timestamptz, continues boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'checkpoint_audit', true);
  RETURN QUERY
  SELECT p.id, newest.at, coalesce(newest.txid <= public.audit_txid(pg_current_xact_id()), true)
  FROM public.platforms AS p
  LEFT JOIN LATERAL (
    SELECT e.at, e.txid FROM public.audit_entries AS e
    WHERE e.platform_id = p.id ORDER BY e.txid DESC, e.id DESC LIMIT 1
  ) AS newest ON true
  ORDER BY p.id;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION
  may_be_erased(text, text), plan_erasures(integer), read_erasure_log_end(), put_erasures(jsonb, boolean),
  list_unstored_erasures(integer), mark_erasure_stored(bigint), ask_waiting_records(text, integer),
  list_blobs(text, integer), find_restored_user(text), is_in_erasure_log(text), list_audited_platforms()
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  plan_erasures(integer), read_erasure_log_end(), put_erasures(jsonb, boolean), list_unstored_erasures(integer),
  mark_erasure_stored(bigint), ask_waiting_records(text, integer), list_blobs(text, integer), find_restored_user(text),
  is_in_erasure_log(text), list_audited_platforms()
  TO cardbridge_service;
