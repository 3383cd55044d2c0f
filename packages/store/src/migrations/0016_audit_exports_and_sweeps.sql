CREATE TABLE "audit_exports" (
	"platform_id" text NOT NULL,
	"month" date NOT NULL,
	"first_number" integer NOT NULL,
	"last_number" integer NOT NULL,
	"last_hash" "bytea" NOT NULL,
	"entries" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"exported_by" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"exported_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dropped_at" timestamp with time zone,
	CONSTRAINT "audit_exports_platform_id_month_pk" PRIMARY KEY("platform_id","month")
);
--> statement-breakpoint
ALTER TABLE "audit_exports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "owner_drop_audit" ON "audit_checkpoints" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'drop_audit');--> statement-breakpoint
CREATE POLICY "owner_drop_audit" ON "audit_entries" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'drop_audit');--> statement-breakpoint
CREATE POLICY "owner_drop_audit" ON "audit_reads" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'drop_audit');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "audit_exports" AS PERMISSIVE FOR ALL TO public USING ("audit_exports"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_drop_audit" ON "audit_exports" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'drop_audit');--> statement-breakpoint
ALTER TABLE audit_exports FORCE ROW LEVEL SECURITY;

GRANT SELECT, INSERT (
    platform_id, month, first_number, last_number, last_hash, entries, digest, exported_by, hash
  ) ON audit_exports TO cardbridge_service;

-- The platforms whose audit can have entries, that of the internal apps included.
CREATE FUNCTION list_audited_platforms()
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'checkpoint_audit', true);
  RETURN QUERY SELECT p.id FROM public.platforms AS p ORDER BY p.id;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION list_audited_platforms() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_audited_platforms() TO cardbridge_service;

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

REVOKE ALL ON FUNCTION drop_audit_month(date) FROM PUBLIC;
