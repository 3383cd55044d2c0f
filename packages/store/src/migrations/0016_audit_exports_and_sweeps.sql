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
ALTER TABLE "webhook_events" DROP CONSTRAINT "webhook_events_kyc_history_id_kyc_history_id_fk";--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "files" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "holds" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "kyc_history" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "kyc_records" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "provider_steps" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "users" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "webhook_deliveries" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
CREATE POLICY "owner_sweep_users" ON "webhook_events" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_users');--> statement-breakpoint
ALTER TABLE audit_exports FORCE ROW LEVEL SECURITY;

GRANT SELECT, INSERT (
    platform_id, month, first_number, last_number, last_hash, entries, digest, exported_by, hash
  ) ON audit_exports TO cardbridge_service;

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

REVOKE ALL ON FUNCTION sweep_users(interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_users(interval, integer) TO cardbridge_service;
