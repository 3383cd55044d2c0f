-- Whether an active hold covers a user, or one of the user's records.
CREATE FUNCTION is_held(held_platform text, held_user text)
RETURNS boolean
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM public.holds AS h
    WHERE h.platform_id = held_platform AND h.user_id = held_user
      AND h.lifted_at IS NULL AND (h.until IS NULL OR h.until > clock_timestamp())
  )
$$;

-- Lifts a hold of the current platform. A lifted hold stays unchanged.
CREATE FUNCTION lift_hold(hold_id text, actor text)
RETURNS void
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.holds AS h
  SET lifted_by = actor, lifted_at = clock_timestamp()
  WHERE h.id = hold_id AND h.lifted_at IS NULL AND h.platform_id = current_setting('cardbridge.platform', true)
$$;

-- Requests the erasure of users whose latest record is older than an age, or who are older themselves and have no
-- record. Not of users under a legal hold: a request would refuse their submissions while it waits for the hold. It locks
-- the users before the second check, so that no submission can intervene.
CREATE OR REPLACE FUNCTION request_expired_erasures(age interval, max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  expired_before CONSTANT timestamptz := now() - age;
  locked text[];
  requested bigint;
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  locked := ARRAY(
    SELECT u.id FROM public.users AS u
    WHERE u.erase_requested_at IS NULL
      AND u.created_at < expired_before
      -- Not is_held, which every user would call.
      AND NOT EXISTS (
        SELECT FROM public.holds AS h
        WHERE h.platform_id = u.platform_id AND h.user_id = u.id
          AND h.lifted_at IS NULL AND (h.until IS NULL OR h.until > clock_timestamp())
      )
      AND NOT EXISTS (
        SELECT FROM public.kyc_records AS r
        WHERE r.platform_id = u.platform_id AND r.user_id = u.id
          AND (r.created_at >= expired_before OR r.resolution = 'unresolved')
      )
    ORDER BY u.created_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  UPDATE public.users AS u
  SET erase_requested_at = clock_timestamp()
  WHERE u.id = ANY (locked)
    AND NOT public.is_held(u.platform_id, u.id)
    AND NOT EXISTS (
      SELECT FROM public.kyc_records AS r
      WHERE r.platform_id = u.platform_id AND r.user_id = u.id
        AND (r.created_at >= expired_before OR r.resolution = 'unresolved')
    );
  GET DIAGNOSTICS requested = ROW_COUNT;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN requested;
END
$$;

-- Deletes users who were erased longer ago than an age, with their records, histories and webhook events, unless a file
-- is left to delete, an attempt runs, or a legal hold covers them. The foreign keys of holds refuse a held row.
-- Without statistics, the planner expects most records to belong to these users, and would read the whole table.
CREATE FUNCTION sweep_users(age interval, max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
SET enable_seqscan = off
AS $$
DECLARE
  swept text[];
  records text[];
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep_users', true);
  swept := ARRAY(
    SELECT u.id FROM public.users AS u
    WHERE u.erased_at < now() - age
      AND NOT public.is_held(u.platform_id, u.id)
      AND NOT EXISTS (
        SELECT FROM public.files AS f WHERE f.platform_id = u.platform_id AND f.user_id = u.id
        OFFSET 0 -- prevents a join, which would read all rows
      )
      AND NOT EXISTS (
        SELECT FROM public.kyc_records AS r
        WHERE r.platform_id = u.platform_id AND r.user_id = u.id AND r.lease_until > clock_timestamp()
        OFFSET 0
      )
    ORDER BY u.erased_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  swept := ARRAY(
    SELECT u.id FROM public.users AS u WHERE u.id = ANY (swept) AND NOT public.is_held(u.platform_id, u.id)
  );
  records := ARRAY(SELECT r.id FROM public.kyc_records AS r WHERE r.user_id = ANY (swept) FOR UPDATE);
  DELETE FROM public.webhook_events AS v
  USING public.kyc_records AS r, public.webhook_deliveries AS d
  WHERE r.id = ANY (records)
    AND d.platform_id = r.platform_id AND d.record_id = r.id
    AND v.platform_id = d.platform_id AND v.id = d.event_id;
  DELETE FROM public.kyc_history AS h
  USING public.kyc_records AS r
  WHERE r.id = ANY (records) AND h.platform_id = r.platform_id AND h.record_id = r.id;
  DELETE FROM public.provider_steps AS s
  USING public.kyc_records AS r
  WHERE r.id = ANY (records) AND s.platform_id = r.platform_id AND s.record_id = r.id;
  DELETE FROM public.idempotency_keys AS k
  USING public.kyc_records AS r
  WHERE r.id = ANY (records) AND k.platform_id = r.platform_id AND k.record_id = r.id;
  DELETE FROM public.holds AS h
  USING public.users AS u
  WHERE u.id = ANY (swept) AND h.platform_id = u.platform_id AND h.user_id = u.id
    AND (h.lifted_at IS NOT NULL OR h.until <= clock_timestamp());
  DELETE FROM public.kyc_records AS r WHERE r.id = ANY (records);
  DELETE FROM public.users AS u WHERE u.id = ANY (swept);
  PERFORM set_config('cardbridge.task', '', true);
  RETURN cardinality(swept);
END
$$;

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

-- Erases users whose erasure is requested, and whose entry of the erasure log is in the file store.
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
  DELETE FROM public.record_notes AS n
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND n.platform_id = r.platform_id AND n.record_id = r.id;
  UPDATE public.document_requests AS d
  SET encrypted = NULL, fingerprint = NULL
  FROM public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND d.platform_id = r.platform_id AND d.record_id = r.id;
  UPDATE public.proposals AS p
  SET encrypted = NULL
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND p.platform_id = u.platform_id AND p.user_id = u.id;
  DELETE FROM public.restored_executions AS e WHERE e.user_reference = ANY (locked);
  UPDATE public.kyc_records AS r
  SET encrypted = NULL, fingerprint = NULL, document_expiry = NULL, document_check_at = NULL
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

REVOKE ALL ON FUNCTION
  is_held(text, text), lift_hold(text, text), sweep_users(interval, integer), may_be_erased(text, text),
  plan_erasures(integer), read_erasure_log_end(), put_erasures(jsonb, boolean), list_unstored_erasures(integer),
  mark_erasure_stored(bigint), find_restored_user(text), is_in_erasure_log(text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  is_held(text, text), lift_hold(text, text), sweep_users(interval, integer), plan_erasures(integer),
  read_erasure_log_end(), put_erasures(jsonb, boolean), list_unstored_erasures(integer), mark_erasure_stored(bigint),
  find_restored_user(text), is_in_erasure_log(text)
  TO cardbridge_service;
GRANT EXECUTE ON FUNCTION
  is_held(text, text)
  TO cardbridge_operators;
