-- As before, and the person is known. Opens a record's evidence on the current platform for a person for 15 minutes, and
-- audits it. Returns what is read; no row if the record does not exist.
CREATE OR REPLACE FUNCTION open_evidence(
  opening_id text, record_id text, person_id text, purpose text, actor text, request_id text, address text
)
RETURNS TABLE (
  audit_id bigint, opened_at timestamptz, expires_at timestamptz, version text, fingerprint bytea, encrypted bytea,
  user_id text, data_key bytea, key_version integer
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
BEGIN
  IF purpose IS NULL OR NOT starts_with(actor, person_id || '/')
    OR NOT EXISTS (SELECT FROM public.persons AS k WHERE k.id = person_id) THEN
    RAISE EXCEPTION 'an opening needs a purpose, and a known person as its actor' USING ERRCODE = 'check_violation';
  END IF;
  SELECT r.fingerprint, r.encrypted, u.id, u.data_key, u.key_version,
    (SELECT max(h.id)::text FROM public.kyc_history AS h WHERE h.platform_id = platform AND h.record_id = r.id)
  INTO fingerprint, encrypted, user_id, data_key, key_version, version
  FROM public.kyc_records AS r
  JOIN public.users AS u ON u.platform_id = r.platform_id AND u.id = r.user_id
  WHERE r.platform_id = platform AND r.id = record_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO public.audit_entries AS e (platform_id, actor, operation, subject, outcome, request_id, address, purpose)
  VALUES (platform, actor, 'records.submission', record_id, 'done', request_id, address, purpose)
  RETURNING e.id, e.at INTO audit_id, opened_at;
  expires_at := opened_at + interval '15 minutes';
  INSERT INTO public.evidence_openings (
    id, platform_id, record_id, person_id, purpose, audit_id, opened_at, expires_at
  )
  VALUES (opening_id, platform, record_id, person_id, purpose, audit_id, opened_at, expires_at);
  RETURN NEXT;
END
$$;

DROP FUNCTION restricted_reasons(text, text, text, text);

-- Reads the restricted reasons of a record on the current platform, oldest first, for an entry of the audit that names a
-- known person and the record. The entry is at most a minute old, and was committed before: a rollback of the read does not
-- remove it.
CREATE FUNCTION restricted_reasons(record_id text, entry_txid bigint, entry_id bigint)
RETURNS TABLE (reason text, observed_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.audit_entries AS e
    JOIN public.persons AS k ON k.id = split_part(e.actor, '/', 1)
    WHERE e.platform_id = platform AND e.txid = entry_txid AND e.id = entry_id
      AND e.at > clock_timestamp() - interval '1 minute'
      AND e.txid <> public.audit_txid(pg_current_xact_id())
      AND e.operation = 'records.restrictedReasons' AND e.subject = record_id AND e.outcome = 'done'
      AND position('/' IN e.actor) > 0
  ) THEN
    RAISE EXCEPTION 'restricted reasons need a committed entry of a known person' USING ERRCODE = 'check_violation';
  END IF;
  RETURN QUERY
    SELECT restricted.name, h.observed_at
    FROM public.kyc_history AS h
    CROSS JOIN LATERAL unnest(h.restricted_reasons) WITH ORDINALITY AS restricted (name, nth)
    WHERE h.platform_id = platform AND h.record_id = restricted_reasons.record_id
    ORDER BY h.id, restricted.nth;
END
$$;

REVOKE ALL ON FUNCTION restricted_reasons(text, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION restricted_reasons(text, bigint, bigint) TO cardbridge_service;
