DROP INDEX "kyc_records_due";--> statement-breakpoint
CREATE INDEX "kyc_records_due" ON "kyc_records" USING btree ("platform_id","settlement","due_at") WHERE "kyc_records"."due_at" is not null;--> statement-breakpoint

-- As before, and platforms take turns: a platform with a backlog delays no other one. Unsettled records come first.
CREATE OR REPLACE FUNCTION lease_due(max_count integer, lease interval)
RETURNS TABLE (platform_id text, record_id text, attempt integer)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
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
  -- More than are leased, because another worker may hold some.
  due AS (
    SELECT oldest.id, s.place, row_number() OVER (PARTITION BY p.id, s.place ORDER BY oldest.due_at) AS turn
    FROM platforms AS p
    CROSS JOIN (VALUES (1, 'unsettled'), (2, 'refused'), (3, 'answered')) AS s (place, settlement)
    CROSS JOIN LATERAL (
      SELECT d.id, d.due_at FROM public.kyc_records AS d
      WHERE d.platform_id = p.id AND d.settlement = s.settlement AND d.due_at <= present
      ORDER BY d.due_at
      LIMIT 2 * max_count
    ) AS oldest
  ),
  leased AS (
    SELECT d.id FROM public.kyc_records AS d JOIN due ON due.id = d.id
    WHERE d.due_at <= present
    ORDER BY due.place, due.turn, d.due_at
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
