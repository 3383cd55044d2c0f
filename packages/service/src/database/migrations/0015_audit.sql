-- Lists the platforms that have entries after their last checkpoint, with the age of the oldest of these entries. Under
-- row-level security a condition with OR or COALESCE is checked after the index was read, which would read all entries. So
-- the aggregates, which return a row without a checkpoint too, calculate the position first.
CREATE OR REPLACE FUNCTION list_pending_audit()
RETURNS TABLE (platform_id text, oldest_seconds numeric)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  least_bigint CONSTANT bigint := -9223372036854775808;
BEGIN
  PERFORM set_config('cardbridge.task', 'checkpoint_audit', true);
  RETURN QUERY
  SELECT p.id, round(extract(epoch FROM clock_timestamp() - oldest.at), 1)
  FROM public.platforms AS p
  CROSS JOIN LATERAL (
    SELECT coalesce(max(last.last_txid), least_bigint) AS txid, coalesce(max(last.last_id), least_bigint) AS id
    FROM (
      SELECT s.last_txid, s.last_id FROM public.audit_checkpoints AS s
      WHERE s.platform_id = p.id ORDER BY s.number DESC LIMIT 1
    ) AS last
  ) AS covered
  CROSS JOIN LATERAL (
    SELECT e.at FROM public.audit_entries AS e
    WHERE e.platform_id = p.id
      AND (e.txid, e.id) > (covered.txid, covered.id)
    ORDER BY e.txid, e.id LIMIT 1
  ) AS oldest;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Audits a successful read on the current platform: the first one of a day, of this actor, address and subject, as an
-- entry, the others in its count. Returns whether it was the first one.
CREATE FUNCTION audit_read(actor text, operation text, subject text, request_id text, address text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
  is_first boolean;
BEGIN
  INSERT INTO public.audit_reads AS r (day, platform_id, subject, operation, actor, address)
  VALUES ((clock_timestamp() AT TIME ZONE 'UTC')::date, platform, subject, operation, actor, coalesce(address, ''))
  ON CONFLICT ON CONSTRAINT audit_reads_of_day
  DO UPDATE SET count = r.count + 1, last_at = clock_timestamp()
  RETURNING r.count = 0 INTO is_first;
  IF is_first THEN
    INSERT INTO public.audit_entries (platform_id, actor, operation, subject, outcome, request_id, address)
    VALUES (platform, actor, operation, subject, 'done', request_id, address);
  END IF;
  RETURN is_first;
END
$$;

-- Replaces counts of reads by audit entries, at the time of the last read. It leaves the last day that ended, because a
-- worker of 0.2.0, which would create checkpoints without the counts, may still run while it is replaced.
CREATE FUNCTION write_read_counts(max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  replaced bigint;
BEGIN
  PERFORM set_config('cardbridge.task', 'count_reads', true);
  WITH ended AS (
    SELECT r.* FROM public.audit_reads AS r
    WHERE r.day < (clock_timestamp() AT TIME ZONE 'UTC')::date - 1
    ORDER BY r.day
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  ), written AS (
    INSERT INTO public.audit_entries (platform_id, actor, operation, subject, outcome, address, at, count)
    SELECT e.platform_id, e.actor, e.operation, e.subject, 'done', nullif(e.address, ''), e.last_at, e.count
    FROM ended AS e
    WHERE e.count > 0
    ORDER BY e.last_at
  )
  DELETE FROM public.audit_reads AS r
  USING ended AS e
  WHERE r.day = e.day AND r.platform_id = e.platform_id AND r.subject = e.subject AND r.operation = e.operation
    AND r.actor = e.actor AND r.address = e.address;
  GET DIAGNOSTICS replaced = ROW_COUNT;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN replaced;
END
$$;

-- Drops the oldest month of the audit (its first day) if exports cover all of its entries. Each platform's checkpoints
-- before the last exported one are deleted; this one is the anchor from which verification starts. Returns why the
-- month was not dropped, or NULL. Only the owner may call it. The partition is locked against its last writers before
-- the checks, and the whole table only to remove the partition: without CONCURRENTLY, which a default partition rules out.
CREATE FUNCTION drop_audit_month(month date)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  starts CONSTANT timestamptz := date_trunc('month', month::timestamptz);
  ends CONSTANT timestamptz := starts + interval '1 month';
  partition CONSTANT text := format('public.%I', to_char(starts, '"audit_entries_"YYYY_MM'));
  last_entry record;
  anchor integer;
BEGIN
  IF ends > now() THEN
    RETURN 'The month is not over.';
  END IF;
  PERFORM set_config('cardbridge.task', 'drop_audit', true);
  IF to_regclass(partition) IS NOT NULL THEN
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE MODE', partition);
  END IF;
  IF EXISTS (SELECT FROM public.audit_entries AS e WHERE e.at < starts) THEN
    RETURN 'An earlier month has entries. Export and drop it first.';
  END IF;
  IF EXISTS (SELECT FROM public.audit_reads AS r WHERE r.day < ends::date) THEN
    RETURN 'Counts of reads of this month are not written yet. A worker writes them two days after the month.';
  END IF;
  FOR last_entry IN
    SELECT DISTINCT ON (e.platform_id) e.platform_id, e.txid, e.id
    FROM public.audit_entries AS e
    WHERE e.at >= starts AND e.at < ends
    ORDER BY e.platform_id DESC, e.txid DESC, e.id DESC
  LOOP
    SELECT min(x.last_number) INTO anchor
    FROM public.audit_exports AS x
    JOIN public.audit_checkpoints AS c
      ON c.platform_id = x.platform_id AND c.number = x.last_number AND c.hash = x.last_hash
    WHERE x.platform_id = last_entry.platform_id
      AND (c.last_txid, c.last_id) >= (last_entry.txid, last_entry.id);
    IF anchor IS NULL THEN
      RETURN format('The entries of %s are not exported.', last_entry.platform_id);
    END IF;
    UPDATE public.audit_exports AS x
    SET dropped_at = now()
    WHERE x.platform_id = last_entry.platform_id AND x.last_number <= anchor AND x.dropped_at IS NULL;
    DELETE FROM public.audit_checkpoints AS c WHERE c.platform_id = last_entry.platform_id AND c.number < anchor;
  END LOOP;
  DELETE FROM public.audit_entries_default AS e WHERE e.at >= starts AND e.at < ends;
  PERFORM set_config('cardbridge.task', '', true);
  IF to_regclass(partition) IS NOT NULL THEN
    EXECUTE format('DROP TABLE %s', partition);
  END IF;
  RETURN NULL;
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

-- Audits a read on the current platform once an hour: the first one of this actor and subject as an entry. Its row in
-- audit_reads has no count, so that upkeep deletes it without an entry. Returns whether it was the first one.
CREATE FUNCTION audit_hourly(actor text, operation text, subject text, request_id text, address text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
  is_first boolean;
BEGIN
  INSERT INTO public.audit_reads AS r (day, platform_id, subject, operation, actor, address)
  VALUES (clock_timestamp()::date, platform, subject, operation, actor, '')
  ON CONFLICT ON CONSTRAINT audit_reads_of_day
  DO UPDATE SET last_at = clock_timestamp() WHERE r.last_at < date_trunc('hour', clock_timestamp())
  RETURNING true INTO is_first;
  IF is_first THEN
    INSERT INTO public.audit_entries (platform_id, actor, operation, subject, outcome, request_id, address)
    VALUES (platform, actor, operation, subject, 'done', request_id, address);
  END IF;
  RETURN coalesce(is_first, false);
END
$$;

-- Creates the partitions of this month and the next ones, so that a month can be exported and dropped. A partition needs
-- the check constraint as well.
CREATE OR REPLACE FUNCTION create_audit_months(months integer)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
  month timestamptz;
  name text;
BEGIN
  FOR month IN
    SELECT date_trunc('month', now()) + number * interval '1 month' FROM generate_series(0, months - 1) AS number
  LOOP
    name := to_char(month, '"audit_entries_"YYYY_MM');
    CONTINUE WHEN to_regclass(format('public.%I', name)) IS NOT NULL OR EXISTS (
      SELECT FROM public.audit_entries_default WHERE at >= month AND at < month + interval '1 month'
    );
    EXECUTE format('CREATE TABLE public.%I (LIKE public.audit_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
    EXECUTE format(
      'ALTER TABLE public.audit_entries ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
      name, month, month + interval '1 month'
    );
  END LOOP;
END
$$;

REVOKE ALL ON FUNCTION
  audit_read(text, text, text, text, text), write_read_counts(integer), drop_audit_month(date),
  list_audited_platforms(), audit_hourly(text, text, text, text, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  audit_read(text, text, text, text, text), write_read_counts(integer), list_audited_platforms(),
  audit_hourly(text, text, text, text, text)
  TO cardbridge_service;
