-- Stores a heartbeat of a process, and its row if it is missing. Deletes processes that had none for a day: they were
-- killed, or lost their database.
CREATE FUNCTION renew_process(process jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'track_processes', true);
  INSERT INTO public.service_processes (id, role, version, commit, host, files)
  SELECT p.id, p.role, p.version, p.commit, p.host, p.files
  FROM jsonb_to_record(process) AS p (id text, role text, version text, commit text, host text, files text)
  ON CONFLICT (id) DO UPDATE SET seen_at = now();
  DELETE FROM public.service_processes AS p WHERE p.seen_at < now() - interval '1 day';
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Lists the processes, the latest heartbeat first. A process is live for 45 seconds after its last one.
CREATE FUNCTION list_processes(max_count integer)
RETURNS TABLE (
  id text, role text, version text, commit text, host text, files text, started_at timestamptz, seen_at timestamptz,
  live_until timestamptz, live boolean
)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'track_processes', true);
  RETURN QUERY
  SELECT p.id, p.role, p.version, p.commit, p.host, p.files, p.started_at, p.seen_at,
         p.seen_at + interval '45 seconds', p.seen_at + interval '45 seconds' > now()
  FROM public.service_processes AS p
  ORDER BY p.seen_at DESC, p.id
  LIMIT least(max_count, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Stores a process that starts, unless a live process has its files in another store: returns that one instead. The
-- lock lets processes that start at once see each other.
CREATE FUNCTION register_process(process jsonb)
RETURNS TABLE (host text, live_until timestamptz)
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('register_process'), 0);
  RETURN QUERY
  SELECT other.host, other.live_until
  FROM public.list_processes(1000) AS other
  WHERE other.live AND other.files <> process ->> 'files'
  LIMIT 1;
  IF NOT FOUND THEN
    PERFORM public.renew_process(process);
  END IF;
END
$$;

-- Removes a process that stops.
CREATE FUNCTION remove_process(process_id text)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'track_processes', true);
  DELETE FROM public.service_processes AS p WHERE p.id = process_id;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Deletes events older than an age with their deliveries, but not those of records under a legal hold. Deletes deleted
-- endpoints with their deliveries, and fails the pending deliveries of disabled endpoints. Each step changes up to
-- max_count rows; returns the total.
CREATE OR REPLACE FUNCTION sweep_webhooks(age interval, max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  changed bigint;
  held text[];
  total bigint := 0;
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep_webhooks', true);
  held := ARRAY(
    SELECT DISTINCT d.event_id
    FROM public.holds AS h
    JOIN public.kyc_records AS r
      ON r.platform_id = h.platform_id AND r.user_id = h.user_id AND (h.record_id IS NULL OR r.id = h.record_id)
    JOIN public.webhook_deliveries AS d ON d.platform_id = r.platform_id AND d.record_id = r.id
    WHERE h.lifted_at IS NULL AND (h.until IS NULL OR h.until > clock_timestamp())
  );
  DELETE FROM public.webhook_events AS v
  WHERE (v.platform_id, v.id) IN (
    SELECT o.platform_id, o.id FROM public.webhook_events AS o
    WHERE o.created_at < now() - age AND o.id <> ALL (held)
    ORDER BY o.created_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS changed = ROW_COUNT;
  total := total + changed;
  DELETE FROM public.webhook_deliveries AS d
  WHERE (d.platform_id, d.id) IN (
    SELECT o.platform_id, o.id
    FROM public.webhook_endpoints AS e JOIN public.webhook_deliveries AS o ON o.endpoint_id = e.id
    WHERE e.deleted_at IS NOT NULL AND o.event_id <> ALL (held)
    LIMIT max_count
    FOR UPDATE OF o SKIP LOCKED
  );
  GET DIAGNOSTICS changed = ROW_COUNT;
  total := total + changed;
  DELETE FROM public.webhook_endpoints AS e
  WHERE e.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM public.webhook_deliveries AS o WHERE o.endpoint_id = e.id);
  UPDATE public.webhook_deliveries AS d
  SET status = 'failed', due_at = NULL, lease_until = NULL
  WHERE (d.platform_id, d.id) IN (
    SELECT o.platform_id, o.id
    FROM public.webhook_endpoints AS e JOIN public.webhook_deliveries AS o ON o.endpoint_id = e.id
    WHERE e.disabled_at IS NOT NULL AND o.status = 'pending' AND coalesce(o.lease_until, '-infinity') <= clock_timestamp()
    LIMIT max_count
    FOR UPDATE OF o SKIP LOCKED
  );
  GET DIAGNOSTICS changed = ROW_COUNT;
  total := total + changed;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN total;
END
$$;

-- Disables the endpoints with this many pending deliveries, and returns their platforms. It counts up to this many in an
-- index, and changes no delivery: sweep_webhooks fails them.
CREATE FUNCTION disable_backlogged_endpoints(max_pending integer)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep_webhooks', true);
  RETURN QUERY
  UPDATE public.webhook_endpoints AS e
  SET disabled_at = clock_timestamp(), disabled_reason = 'backlog'
  WHERE e.disabled_at IS NULL AND e.deleted_at IS NULL
    AND (
      SELECT count(*) FROM (
        SELECT FROM public.webhook_deliveries AS d WHERE d.endpoint_id = e.id AND d.status = 'pending' LIMIT max_pending
      ) AS counted
    ) >= max_pending
  RETURNING e.platform_id;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Tells the platform's other endpoints that the service disabled one, in the transaction that disabled it.
CREATE FUNCTION write_endpoint_disabled()
RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  platform CONSTANT text := coalesce(current_setting('cardbridge.platform', true), '');
BEGIN
  PERFORM set_config('cardbridge.platform', NEW.platform_id, true);
  PERFORM public.write_webhook_event(
    public.webhook_id('msg'), 'webhook.endpoint_disabled', NULL, NULL, NULL,
    jsonb_build_object(
      'endpointId', NEW.id,
      'reason', NEW.disabled_reason,
      'disabledAt', to_char(NEW.disabled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ),
    NULL
  );
  PERFORM set_config('cardbridge.platform', platform, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER endpoint_disabled AFTER UPDATE OF disabled_at ON webhook_endpoints FOR EACH ROW
  WHEN (OLD.disabled_at IS NULL AND NEW.disabled_reason <> 'requested')
  EXECUTE FUNCTION write_endpoint_disabled();

-- Returns platforms with their names, oldest first: those with these ids, or all if only_ids is NULL. Not that of the
-- internal apps.
CREATE FUNCTION name_platforms(only_ids text[], max_count integer)
RETURNS TABLE (id text, name text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'list_platforms', true);
  RETURN QUERY
  SELECT p.id, p.name
  FROM public.platforms AS p
  WHERE p.id <> 'internal' AND (only_ids IS NULL OR p.id = ANY (only_ids))
  ORDER BY p.created_at, p.id
  LIMIT least(max_count, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Checks the configured keys against the known ones, and adds new ones. A version of the ring is in use while it wraps a
-- key of a user, a file, a webhook endpoint or a person.
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
        OR EXISTS (SELECT FROM public.files AS f WHERE f.key_version = k.ring_version)
        OR EXISTS (SELECT FROM public.webhook_endpoints AS e WHERE e.key_version = k.ring_version)
        OR EXISTS (SELECT FROM public.persons AS p WHERE p.key_version = k.ring_version));
    EXIT WHEN FOUND OR pass = 2;
    INSERT INTO public.known_encryption_keys (name, ring_version, check_value)
    SELECT i.name, i.ring_version, i.check_value
    FROM jsonb_to_recordset(input) AS i (name text, ring_version integer, check_value text)
    ON CONFLICT DO NOTHING;
  END LOOP;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- The active pauses of the provider and of all platforms, with the milliseconds until their end.
-- Every process runs it once a second.
CREATE FUNCTION current_pauses()
RETURNS TABLE (id text, platform_id text, reason text, ends_at timestamptz, ends_in double precision)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := clock_timestamp();
BEGIN
  PERFORM set_config('cardbridge.task', 'read_pauses', true);
  RETURN QUERY
  SELECT p.id, p.platform_id, p.reason, p.until,
         (1000 * extract(epoch FROM p.until - present))::double precision
  FROM public.pauses AS p
  WHERE p.ended_at IS NULL AND p.until > present;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- The platform of a pause, for a caller who knows its id alone.
CREATE FUNCTION platform_of_pause(pause_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  result text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_pauses', true);
  SELECT p.platform_id INTO result FROM public.pauses AS p WHERE p.id = pause_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN result;
END
$$;

-- For how long the provider was paused since a time. Workers could not attempt a record for this long.
CREATE FUNCTION provider_paused_since(since timestamptz)
RETURNS interval
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := clock_timestamp();
  result interval;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_pauses', true);
  SELECT sum(least(coalesce(p.ended_at, p.until), present) - greatest(p.paused_at, since)) INTO result
  FROM public.pauses AS p
  WHERE p.platform_id = 'internal' AND p.paused_at < present AND coalesce(p.ended_at, p.until) > since;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN coalesce(result, interval '0');
END
$$;

-- Lists API keys. NULL does not filter; made_by filters by a person. Only live keys expire or are unused; a key without a
-- call is unused since its creation. list_api_keys(text, integer) is what 0.2.0 calls.
CREATE FUNCTION list_api_keys(
  only_platform text, only_state text, expires_within interval, unused_for interval, made_by text, max_count integer
)
RETURNS TABLE (
  id text, platform_id text, name text, prefix text, scopes text[], created_at timestamptz, created_by text,
  expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.platform_id, k.name, k.prefix, k.scopes, k.created_at, k.created_by, k.expires_at, k.revoked_at,
         k.last_used_at
  FROM public.api_keys AS k
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= clock_timestamp() THEN 'expired' ELSE 'live'
    END AS name
  ) AS state
  WHERE (only_platform IS NULL OR k.platform_id = only_platform)
    AND (only_state IS NULL OR state.name = only_state)
    AND (expires_within IS NULL OR (state.name = 'live' AND k.expires_at <= now() + expires_within))
    AND (unused_for IS NULL
      OR (state.name = 'live' AND coalesce(k.last_used_at, k.created_at) <= now() - unused_for))
    AND (made_by IS NULL OR split_part(k.created_by, '/', 1) = made_by)
  ORDER BY k.platform_id, k.name, k.created_at DESC, k.id
  LIMIT least(max_count, 1000)
$$;

REVOKE ALL ON FUNCTION
  renew_process(jsonb), list_processes(integer), register_process(jsonb), remove_process(text),
  name_platforms(text[], integer), current_pauses(), platform_of_pause(text), provider_paused_since(timestamptz),
  list_api_keys(text, text, interval, interval, text, integer), disable_backlogged_endpoints(integer),
  write_endpoint_disabled()
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  renew_process(jsonb), list_processes(integer), register_process(jsonb), remove_process(text),
  name_platforms(text[], integer), current_pauses(), platform_of_pause(text), provider_paused_since(timestamptz),
  list_api_keys(text, text, interval, interval, text, integer), disable_backlogged_endpoints(integer)
  TO cardbridge_service;
