-- Returns the platform of a user: the provider's events contain a user but no platform.
CREATE FUNCTION platform_of_user(user_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  result text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_webhooks', true);
  SELECT u.platform_id INTO result FROM public.users AS u WHERE u.id = user_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN result;
END
$$;

-- Changes the names of a user of the current platform. The service's role has no other way to change them. NULL as
-- new_email_index removes the user's e-mail, so the function is not STRICT.
CREATE FUNCTION relink_user(user_id text, new_encrypted bytea, new_member_id_index bytea, new_email_index bytea)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.users AS u
  SET encrypted = new_encrypted, member_id_index = new_member_id_index, email_index = new_email_index
  WHERE u.id = user_id AND u.erased_at IS NULL
    AND u.platform_id = current_setting('cardbridge.platform', true)
$$;

-- Requests the erasure of users whose latest record is older than an age, or who are older themselves and have no
-- record. It locks the users before the second check, so that no submission can intervene.
CREATE FUNCTION request_expired_erasures(age interval, max_count integer)
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
          AND (r.created_at >= expired_before OR r.resolution = 'unresolved')
      )
    ORDER BY u.created_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  UPDATE public.users AS u
  SET erase_requested_at = clock_timestamp()
  WHERE u.id = ANY (locked)
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

-- Erases users whose erasure is requested and who have no unresolved or leased record. It destroys their data key, the
-- data encrypted under it and their blind indexes, deletes the results of their steps at the provider, and expires
-- their files. Ids and statuses remain.
CREATE FUNCTION erase_users(max_count integer)
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
          AND (r.resolution = 'unresolved' OR r.lease_until > clock_timestamp())
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

REVOKE ALL ON FUNCTION
  platform_of_user(text), relink_user(text, bytea, bytea, bytea), request_expired_erasures(interval, integer),
  erase_users(integer)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  platform_of_user(text), relink_user(text, bytea, bytea, bytea), request_expired_erasures(interval, integer),
  erase_users(integer)
  TO cardbridge_service;
