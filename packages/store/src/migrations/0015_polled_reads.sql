CREATE TABLE "audit_reads" (
	"day" date NOT NULL,
	"platform_id" text NOT NULL,
	"subject" text NOT NULL,
	"operation" text NOT NULL,
	"actor" text NOT NULL,
	"address" text NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "audit_reads_of_day" PRIMARY KEY("day","platform_id","subject","operation","actor","address")
);
--> statement-breakpoint
ALTER TABLE "audit_reads" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "count" integer;--> statement-breakpoint
CREATE POLICY "owner_count_reads" ON "audit_entries" AS PERMISSIVE FOR INSERT TO current_user WITH CHECK (current_setting('cardbridge.task', true) = 'count_reads');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "audit_reads" AS PERMISSIVE FOR ALL TO public USING ("audit_reads"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_count_reads" ON "audit_reads" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'count_reads');--> statement-breakpoint
ALTER TABLE audit_reads FORCE ROW LEVEL SECURITY;

-- Each read changes a row, so that it stays on its page, without new index entries.
ALTER TABLE audit_reads SET (fillfactor = 60);

-- Only the functions below write counts: the service's role cannot lower one.
GRANT SELECT ON audit_reads TO cardbridge_service;

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

REVOKE ALL ON FUNCTION audit_read(text, text, text, text, text), write_read_counts(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_read(text, text, text, text, text), write_read_counts(integer) TO cardbridge_service;
