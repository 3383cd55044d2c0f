-- Creates an id that is ordered by time: a prefix, the milliseconds since 1970 and 56 random bits, in hexadecimal.
CREATE FUNCTION webhook_id(prefix text)
RETURNS text
LANGUAGE sql VOLATILE
AS $$
  SELECT prefix || '_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 14)
$$;

-- Writes an event of the current platform, with a delivery to each subscribed endpoint or to only_endpoint. A delivery
-- to a disabled endpoint is written as failed. It writes nothing if the event id exists or if there is no endpoint.
CREATE FUNCTION write_webhook_event(
  event_id text, event_type text, history_id bigint, record_id text, sequence integer, data jsonb, only_endpoint text
)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
BEGIN
  INSERT INTO public.webhook_events (id, platform_id, type, kyc_history_id, sequence, data)
  SELECT event_id, platform, event_type, history_id, write_webhook_event.sequence, write_webhook_event.data
  WHERE EXISTS (
    SELECT FROM public.webhook_endpoints AS e
    WHERE e.platform_id = platform AND e.deleted_at IS NULL
      AND CASE WHEN only_endpoint IS NULL THEN event_type = ANY (e.event_types) ELSE e.id = only_endpoint END
  )
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO public.webhook_deliveries (id, platform_id, endpoint_id, event_id, record_id, sequence, status, due_at)
  SELECT public.webhook_id('whd'), platform, e.id, write_webhook_event.event_id, write_webhook_event.record_id,
         write_webhook_event.sequence,
         CASE WHEN e.disabled_at IS NULL THEN 'pending' ELSE 'failed' END,
         CASE WHEN e.disabled_at IS NULL THEN clock_timestamp() END
  FROM public.webhook_endpoints AS e
  WHERE e.platform_id = platform AND e.deleted_at IS NULL
    AND CASE WHEN only_endpoint IS NULL THEN event_type = ANY (e.event_types) ELSE e.id = only_endpoint END;
END
$$;

-- Writes the event of a change in the transaction of the change. The change's number is the count of the record's
-- history rows, which is stable because every writer has locked the record.
CREATE FUNCTION write_kyc_event()
RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (
    SELECT FROM public.webhook_endpoints AS e
    WHERE e.platform_id = NEW.platform_id AND e.deleted_at IS NULL AND 'kyc.updated' = ANY (e.event_types)
  ) THEN
    PERFORM public.write_webhook_event(
      public.webhook_id('msg'), 'kyc.updated', NEW.id, NEW.record_id,
      (SELECT count(*)::integer FROM public.kyc_history AS h
       WHERE h.platform_id = NEW.platform_id AND h.record_id = NEW.record_id AND h.id <= NEW.id),
      NULL, NULL
    );
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER kyc_changed AFTER INSERT ON kyc_history FOR EACH ROW EXECUTE FUNCTION write_kyc_event();

-- Leases due deliveries of all platforms for a worker with this number of free attempt slots; running has the platform
-- and the endpoint of each of its running attempts. A platform takes a slot while it has fewer slots than are free, and
-- the platform with the fewest comes first, in random order among equals. An endpoint whose last attempt did not succeed
-- takes a slot as if its platform had `reserved` more. A delivery waits for an earlier delivery of its record that is leased,
-- due or was never attempted. Calls are serialized, so that each call sees the leases of the previous call.
-- A plan is made for each call: one that the first, empty tables led to would read all rows of later ones.
CREATE FUNCTION lease_webhook_deliveries(
  running jsonb, free integer, reserved integer, per_endpoint integer, per_call integer, lease_time interval
)
RETURNS TABLE (platform_id text, delivery_id text, endpoint_id text, lease integer, attempt integer)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
  present timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('lease_webhook_deliveries'), 0);
  PERFORM set_config('cardbridge.task', 'lease_webhooks', true);
  present := clock_timestamp();
  RETURN QUERY
  WITH busy AS (
    SELECT r.platform_id, r.endpoint_id, count(*) AS attempts, sum(count(*)) OVER (PARTITION BY r.platform_id) AS slots
    FROM jsonb_to_recordset(running) AS r (platform_id text, endpoint_id text)
    GROUP BY r.platform_id, r.endpoint_id
  ), receiving AS (
    SELECT e.id, coalesce(b.attempts, 0) AS attempts, h.slots
    FROM public.webhook_endpoints AS e
    LEFT JOIN busy AS b ON b.endpoint_id = e.id
    LEFT JOIN (SELECT DISTINCT platform_id, slots FROM busy) AS p ON p.platform_id = e.platform_id
    CROSS JOIN LATERAL (
      SELECT coalesce(p.slots, 0) + CASE WHEN e.succeeded THEN 0 ELSE reserved END AS slots
    ) AS h
    WHERE e.disabled_at IS NULL AND e.deleted_at IS NULL AND h.slots < free
  ), due AS (
    SELECT d.platform_id, d.id,
           r.slots + row_number() OVER (PARTITION BY d.platform_id ORDER BY r.slots + d.nth, random()) AS slots
    FROM receiving AS r
    CROSS JOIN LATERAL (
      SELECT o.platform_id, o.id, r.attempts + row_number() OVER (ORDER BY o.due_at, o.id) AS nth
      FROM (
        SELECT p.platform_id, p.id, p.due_at FROM public.webhook_deliveries AS p
        WHERE p.endpoint_id = r.id AND p.status = 'pending' AND p.due_at <= present
          AND NOT EXISTS (
            SELECT FROM public.webhook_deliveries AS f
            WHERE f.endpoint_id = r.id AND f.record_id = p.record_id AND f.sequence < p.sequence
              AND f.status = 'pending' AND (f.attempt = 0 OR f.due_at <= present OR f.lease_until > present)
            OFFSET 0 -- prevents a join, which would read all rows of the endpoint
          )
        ORDER BY p.due_at, p.id
        LIMIT greatest(least(per_endpoint - r.attempts, free - r.slots), 0)
      ) AS o
    ) AS d
  ), ranked AS (
    SELECT d.platform_id, d.id, d.slots, row_number() OVER (ORDER BY d.slots, random()) AS nth
    FROM due AS d
    ORDER BY nth
    LIMIT per_call
  ), locked AS (
    SELECT d.platform_id, d.id
    FROM public.webhook_deliveries AS d
    JOIN ranked AS r ON r.platform_id = d.platform_id AND r.id = d.id
    -- Before this lease, the platform has slots - 1, and free - (nth - 1) are free. Only pending deliveries have a due_at;
    -- without the status, the planner cannot choose the index of all due deliveries.
    WHERE r.slots + r.nth <= free + 1 AND d.due_at <= present
    FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE public.webhook_deliveries AS d
  SET lease = d.lease + 1, attempt = d.attempt + 1, lease_until = present + lease_time, due_at = present + lease_time
  FROM locked AS l
  WHERE d.platform_id = l.platform_id AND d.id = l.id
  RETURNING d.platform_id, d.id, d.endpoint_id, d.lease, d.attempt;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- The endpoints of a list that are disabled or deleted.
CREATE FUNCTION inactive_webhook_endpoints(endpoint_ids text[])
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_webhooks', true);
  RETURN QUERY
  SELECT unnest(endpoint_ids)
  EXCEPT
  SELECT e.id FROM public.webhook_endpoints AS e
  WHERE e.id = ANY (endpoint_ids) AND e.disabled_at IS NULL AND e.deleted_at IS NULL;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Counts the pending deliveries of all platforms, the seconds since the oldest became due, and the disabled endpoints.
CREATE FUNCTION count_webhook_deliveries()
RETURNS TABLE (pending bigint, oldest_seconds numeric, disabled_endpoints bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_webhooks', true);
  RETURN QUERY
  SELECT count(*),
         coalesce(round(greatest(extract(epoch FROM clock_timestamp() - min(d.due_at)), 0), 1), 0),
         (SELECT count(*) FROM public.webhook_endpoints AS e
          WHERE e.disabled_at IS NOT NULL AND e.deleted_at IS NULL)
  FROM public.webhook_deliveries AS d
  WHERE d.status = 'pending';
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Deletes events older than an age with their deliveries, deletes deleted endpoints with their deliveries, and fails
-- the pending deliveries of disabled endpoints. Each step changes up to max_count rows; returns the total.
CREATE FUNCTION sweep_webhooks(age interval, max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  changed bigint;
  total bigint := 0;
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep_webhooks', true);
  DELETE FROM public.webhook_events AS v
  WHERE (v.platform_id, v.id) IN (
    SELECT o.platform_id, o.id FROM public.webhook_events AS o
    WHERE o.created_at < now() - age
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
    WHERE e.deleted_at IS NOT NULL
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

REVOKE ALL ON FUNCTION
  webhook_id(text), write_webhook_event(text, text, bigint, text, integer, jsonb, text), write_kyc_event(),
  lease_webhook_deliveries(jsonb, integer, integer, integer, integer, interval), inactive_webhook_endpoints(text[]),
  count_webhook_deliveries(), sweep_webhooks(interval, integer)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  write_webhook_event(text, text, bigint, text, integer, jsonb, text),
  lease_webhook_deliveries(jsonb, integer, integer, integer, integer, interval), inactive_webhook_endpoints(text[]),
  count_webhook_deliveries(), sweep_webhooks(interval, integer)
  TO cardbridge_service;
