-- The not-found count with which the next attempt starts. After an expired lease of an attempt that sends, the
-- submission may have been sent again, so the count restarts at 0.
CREATE FUNCTION not_found_after_lease(lease_until timestamptz, step text, not_found integer)
RETURNS integer
LANGUAGE sql IMMUTABLE
AS $$ SELECT CASE WHEN lease_until IS NULL OR step = 'ask' THEN not_found ELSE 0 END $$;

-- Leases due records of all platforms to one caller and returns only their ids. An attempt whose lease expired may have
-- reached the provider, so the next attempt queries it first. Unresolved records come first, round robin among the
-- platforms, so that a backlog of one platform does not delay another platform. The function reads the clock once: an
-- index condition cannot use a volatile function, so a poll would read every record that is due later.
-- A plan is made for each call: one that the first, empty table led to would read all rows of a later one.
CREATE FUNCTION lease_due(max_count integer, lease interval)
RETURNS TABLE (platform_id text, record_id text, attempt integer)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  present timestamptz := clock_timestamp();
  lease_end timestamptz := present + lease;
BEGIN
  PERFORM set_config('cardbridge.task', 'lease_due', true);
  RETURN QUERY
  WITH RECURSIVE platforms AS (
    (SELECT d.platform_id AS id FROM public.kyc_records AS d WHERE d.due_at IS NOT NULL ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT d.platform_id FROM public.kyc_records AS d
            WHERE d.due_at IS NOT NULL AND d.platform_id > p.id ORDER BY 1 LIMIT 1)
    FROM platforms AS p
    WHERE p.id IS NOT NULL
  ),
  -- More records than are leased, because another worker may have locked some of them.
  due AS (
    SELECT oldest.id, s.rank, row_number() OVER (PARTITION BY p.id, s.rank ORDER BY oldest.due_at) AS turn
    FROM platforms AS p
    CROSS JOIN (VALUES (1, 'unresolved'), (2, 'refused'), (3, 'answered')) AS s (rank, resolution)
    CROSS JOIN LATERAL (
      SELECT d.id, d.due_at FROM public.kyc_records AS d
      WHERE d.platform_id = p.id AND d.resolution = s.resolution AND d.due_at <= present
      ORDER BY d.due_at
      LIMIT 2 * max_count
    ) AS oldest
  ),
  leased AS (
    SELECT d.id FROM public.kyc_records AS d JOIN due ON due.id = d.id
    WHERE d.due_at <= present
    ORDER BY due.rank, due.turn, d.due_at
    LIMIT max_count
    FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE public.kyc_records AS r
  SET attempt = r.attempt + 1,
      step = CASE WHEN r.lease_until IS NULL THEN r.step ELSE 'ask' END,
      not_found = public.not_found_after_lease(r.lease_until, r.step, r.not_found),
      lease_until = lease_end,
      due_at = lease_end
  FROM leased
  WHERE r.id = leased.id
  RETURNING r.platform_id, r.id, r.attempt;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Returns the platform of a record: the provider's events contain a reference but no platform.
CREATE FUNCTION platform_of_record(record_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  result text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  SELECT r.platform_id INTO result FROM public.kyc_records AS r WHERE r.id = record_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN result;
END
$$;

-- Counts the waiting records of all platforms, with the age of the oldest record.
CREATE FUNCTION count_waiting()
RETURNS TABLE (resolution text, needs_attention boolean, count bigint, oldest_seconds numeric)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  RETURN QUERY
  SELECT r.resolution, r.needs_attention_since IS NOT NULL, count(*),
         round(extract(epoch FROM clock_timestamp() - min(r.created_at)), 1)
  FROM public.kyc_records AS r
  WHERE r.due_at IS NOT NULL OR r.needs_attention_since IS NOT NULL
  GROUP BY 1, 2;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Lists the waiting records of all platforms for operators, without content: records that need attention first, then
-- unresolved records, each oldest first. A NULL argument does not filter.
CREATE FUNCTION list_waiting(unresolved_for interval, only_platform text, max_count integer)
RETURNS TABLE (
  platform_id text, id text, resolution text, attempt integer, step text, not_found integer,
  created_at timestamptz, due_at timestamptz, lease_until timestamptz, needs_attention_since timestamptz
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  RETURN QUERY
  SELECT r.platform_id, r.id, r.resolution, r.attempt, r.step, r.not_found,
         r.created_at, r.due_at, r.lease_until, r.needs_attention_since
  FROM public.kyc_records AS r
  WHERE (r.due_at IS NOT NULL OR r.needs_attention_since IS NOT NULL)
    AND (only_platform IS NULL OR r.platform_id = only_platform)
    AND (unresolved_for IS NULL OR r.needs_attention_since IS NOT NULL
         OR (r.resolution = 'unresolved' AND r.created_at < clock_timestamp() - unresolved_for))
  ORDER BY r.needs_attention_since IS NULL,
    CASE r.resolution WHEN 'unresolved' THEN 1 WHEN 'refused' THEN 2 ELSE 3 END, r.created_at, r.id
  LIMIT least(max_count, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Deletes the oldest idempotency keys of all platforms that are older than an age of at least 30 days, up to max_count;
-- returns their number.
CREATE FUNCTION delete_idempotency_keys(age interval, max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  deleted bigint;
BEGIN
  PERFORM set_config('cardbridge.task', 'delete_idempotency_keys', true);
  DELETE FROM public.idempotency_keys AS k
  WHERE (k.platform_id, k.operation, k.key_hash) IN (
    SELECT o.platform_id, o.operation, o.key_hash FROM public.idempotency_keys AS o
    WHERE o.created_at < now() - greatest(age, interval '30 days')
    ORDER BY o.created_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS deleted = ROW_COUNT;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN deleted;
END
$$;

REVOKE ALL ON FUNCTION
  lease_due(integer, interval), platform_of_record(text), count_waiting(), list_waiting(interval, text, integer),
  delete_idempotency_keys(interval, integer)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  lease_due(integer, interval), platform_of_record(text), count_waiting(), list_waiting(interval, text, integer),
  delete_idempotency_keys(interval, integer)
  TO cardbridge_service;
