-- Every upload is a file of its own, also of equal bytes. Version 0.1.0 still writes digests during a deployment.
DROP INDEX "files_unused";--> statement-breakpoint
ALTER TABLE "files" ALTER COLUMN "digest" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "files_key_version" ON "files" USING btree ("key_version") WHERE "files"."key_version" is not null;--> statement-breakpoint
CREATE POLICY "owner_check_encryption_keys" ON "files" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'check_encryption_keys');--> statement-breakpoint

-- Processes cache the keys and users that they found. A change of what they found is notified with the name of the
-- cached entry: the key's hash, or the blind index of a user's former name. Commits that notify wait for each other, so
-- inserts do not notify (nobody caches that there is nothing), and neither does a key's last use.
CREATE FUNCTION notify_changed_key()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_notify('cardbridge_changed_lookups', encode(OLD.hash, 'hex'));
  RETURN NULL;
END
$$;

CREATE FUNCTION notify_changed_user()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_notify('cardbridge_changed_lookups', encode(former, 'hex'))
  FROM unnest(ARRAY[OLD.member_id_index, OLD.email_index]) AS former
  WHERE former IS NOT NULL;
  RETURN NULL;
END
$$;

CREATE TRIGGER key_changed AFTER UPDATE ON api_keys FOR EACH ROW
  WHEN ((OLD.id, OLD.platform_id, OLD.hash, OLD.scopes, OLD.expires_at, OLD.revoked_at)
    IS DISTINCT FROM (NEW.id, NEW.platform_id, NEW.hash, NEW.scopes, NEW.expires_at, NEW.revoked_at))
  EXECUTE FUNCTION notify_changed_key();
CREATE TRIGGER key_deleted AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION notify_changed_key();

CREATE TRIGGER user_changed AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.id, OLD.platform_id, OLD.member_id_index, OLD.email_index)
    IS DISTINCT FROM (NEW.id, NEW.platform_id, NEW.member_id_index, NEW.email_index))
  EXECUTE FUNCTION notify_changed_user();
CREATE TRIGGER user_deleted AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION notify_changed_user();

-- As before, and a version of the ring is also in use while files are under it.
CREATE OR REPLACE FUNCTION check_encryption_keys(input jsonb)
RETURNS TABLE (name text, problem text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('cardbridge.task', 'check_encryption_keys', true);
  FOR pass IN 1..2 LOOP
    RETURN QUERY
    SELECT k.name, CASE WHEN i.name IS NULL THEN 'missing' ELSE 'wrong' END
    FROM public.known_encryption_keys AS k
    LEFT JOIN jsonb_to_recordset(input) AS i (name text, check_value text) ON i.name = k.name
    WHERE i.check_value IS DISTINCT FROM k.check_value
      AND (i.name IS NOT NULL
        OR EXISTS (SELECT FROM public.users AS u WHERE u.key_version = k.ring_version)
        OR EXISTS (SELECT FROM public.files AS f WHERE f.key_version = k.ring_version));
    EXIT WHEN FOUND OR pass = 2;
    INSERT INTO public.known_encryption_keys (name, ring_version, check_value)
    SELECT i.name, i.ring_version, i.check_value
    FROM jsonb_to_recordset(input) AS i (name text, ring_version integer, check_value text)
    ON CONFLICT DO NOTHING;
  END LOOP;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Lists users and files whose data keys are under another version of the ring than the current one, by table and id,
-- behind after_table and after_id. It replaces a function that left out the files.
DROP FUNCTION list_users_to_rewrap(integer, text, integer);
CREATE FUNCTION list_keys_to_rewrap(current_version integer, after_table text, after_id text, max_count integer)
RETURNS TABLE (table_name text, platform_id text, row_id text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'rewrap', true);
  RETURN QUERY
  (SELECT 'files', f.platform_id, f.id
   FROM public.files AS f
   WHERE f.key_version <> current_version AND ('files', f.id) > (after_table, after_id)
   ORDER BY f.id
   LIMIT max_count)
  UNION ALL
  (SELECT 'users', u.platform_id, u.id
   FROM public.users AS u
   WHERE u.key_version <> current_version AND ('users', u.id) > (after_table, after_id)
   ORDER BY u.id
   LIMIT max_count)
  ORDER BY 1, 3
  LIMIT max_count;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION
  notify_changed_key(), notify_changed_user(), list_keys_to_rewrap(integer, text, text, integer)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_keys_to_rewrap(integer, text, text, integer)
  TO cardbridge_service;
