ALTER TABLE known_keys FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
-- To lock a user, to ask for an erasure, and to wrap a data key anew; what is sealed is never changed.
GRANT UPDATE (erase_requested_at, data_key, key_version) ON users TO cardbridge_service;
--> statement-breakpoint
-- The keys given that are not the known ones, and the known ones that are not given and still in use. Where
-- there are none, keys of names that were never seen become known. That is looked at once more afterwards:
-- another instance may have brought other ones at the same moment.
CREATE FUNCTION check_keys(given jsonb)
RETURNS TABLE (name text, problem text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('cardbridge.task', 'check_keys', true);
  FOR look IN 1..2 LOOP
    RETURN QUERY
    SELECT k.name, CASE WHEN g.name IS NULL THEN 'missing' ELSE 'wrong' END
    FROM public.known_keys AS k
    LEFT JOIN jsonb_to_recordset(given) AS g (name text, check_value text) ON g.name = k.name
    WHERE g.check_value IS DISTINCT FROM k.check_value
      AND (g.name IS NOT NULL OR EXISTS (SELECT FROM public.users AS u WHERE u.key_version = k.ring_version));
    EXIT WHEN FOUND OR look = 2;
    INSERT INTO public.known_keys (name, ring_version, check_value)
    SELECT g.name, g.ring_version, g.check_value
    FROM jsonb_to_recordset(given) AS g (name text, ring_version integer, check_value text)
    ON CONFLICT DO NOTHING;
  END LOOP;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION check_keys(jsonb) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION check_keys(jsonb) TO cardbridge_service;
--> statement-breakpoint
-- Users whose data keys are wrapped under another version than the current one, in the order of their ids.
CREATE FUNCTION find_to_rewrap(current_version integer, after_id text, most integer)
RETURNS TABLE (platform_id text, user_id text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'rewrap', true);
  RETURN QUERY
  SELECT u.platform_id, u.id
  FROM public.users AS u
  WHERE u.key_version <> current_version AND u.id > after_id
  ORDER BY u.id
  LIMIT most;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION find_to_rewrap(integer, text, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION find_to_rewrap(integer, text, integer) TO cardbridge_service;
--> statement-breakpoint
-- How many users' data keys are wrapped under each version of the key ring.
CREATE FUNCTION count_key_versions()
RETURNS TABLE (key_version integer, count bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'rewrap', true);
  RETURN QUERY
  SELECT u.key_version, count(*)
  FROM public.users AS u
  WHERE u.key_version IS NOT NULL
  GROUP BY 1
  ORDER BY 1;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION count_key_versions() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION count_key_versions() TO cardbridge_service;
--> statement-breakpoint
-- Asks for the erasure of users whose latest record, or who themselves where they have none, are older than
-- an age. They are locked before they are judged: nobody submits in between.
CREATE FUNCTION request_expired(age interval, most integer)
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
      AND NOT EXISTS (
        SELECT FROM public.kyc_records AS r
        WHERE r.platform_id = u.platform_id AND r.user_id = u.id
          AND (r.created_at >= expired_before OR r.settlement = 'unsettled')
      )
    ORDER BY u.created_at
    LIMIT most
    FOR UPDATE SKIP LOCKED
  );
  UPDATE public.users AS u
  SET erase_requested_at = clock_timestamp()
  WHERE u.id = ANY (locked)
    AND NOT EXISTS (
      SELECT FROM public.kyc_records AS r
      WHERE r.platform_id = u.platform_id AND r.user_id = u.id
        AND (r.created_at >= expired_before OR r.settlement = 'unsettled')
    );
  GET DIAGNOSTICS requested = ROW_COUNT;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN requested;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION request_expired(interval, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION request_expired(interval, integer) TO cardbridge_service;
--> statement-breakpoint
-- Erases users whose erasure was asked for, once nothing of theirs is unsettled or under way: destroys their
-- data key and all that it sealed, and whatever they could be found by. Ids and statuses stay.
CREATE FUNCTION erase_users(most integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  chosen text[];
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  chosen := ARRAY(
    SELECT u.id FROM public.users AS u
    WHERE u.erase_requested_at IS NOT NULL AND u.erased_at IS NULL
      AND NOT EXISTS (
        SELECT FROM public.kyc_records AS r
        WHERE r.platform_id = u.platform_id AND r.user_id = u.id
          AND (r.settlement = 'unsettled' OR r.lease_until > clock_timestamp())
      )
    ORDER BY u.erase_requested_at
    LIMIT most
    FOR UPDATE SKIP LOCKED
  );
  DELETE FROM public.idempotency_keys AS k
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (chosen)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND k.platform_id = r.platform_id AND k.record_id = r.id;
  UPDATE public.kyc_records AS r
  SET sealed = NULL, fingerprint = NULL
  FROM public.users AS u
  WHERE u.id = ANY (chosen) AND r.platform_id = u.platform_id AND r.user_id = u.id;
  UPDATE public.users AS u
  SET member_id_index = NULL, email_index = NULL, sealed = NULL, data_key = NULL, key_version = NULL,
      erased_at = clock_timestamp()
  WHERE u.id = ANY (chosen);
  PERFORM set_config('cardbridge.task', '', true);
  RETURN cardinality(chosen);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION erase_users(integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION erase_users(integer) TO cardbridge_service;
