-- Makes waiting records of all platforms due to be asked, in the order of their ids: after a restore, an attempt that the
-- database does not know may have sent them. No attempt is under way, so a lease ends. Returns the number and the last id.
CREATE FUNCTION ask_waiting_records(after_id text, max_count integer)
RETURNS TABLE (count bigint, last_id text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'lease_due', true);
  RETURN QUERY
  WITH waiting AS (
    SELECT w.id FROM public.kyc_records AS w
    WHERE (w.due_at IS NOT NULL OR w.needs_attention_since IS NOT NULL) AND w.id > after_id
    ORDER BY w.id
    LIMIT max_count
    FOR UPDATE
  ),
  asked AS (
    UPDATE public.kyc_records AS r
    SET step = 'ask', not_found = 0, lease_until = NULL, due_at = clock_timestamp()
    FROM waiting
    WHERE r.id = waiting.id
    RETURNING r.id
  )
  SELECT count(*), max(asked.id) FROM asked;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Lists the blobs of all platforms' files, in the order of the files' ids. A file without a key is being deleted, so its
-- blob may be missing, as is that of an upload under way.
CREATE FUNCTION list_blobs(after_id text, max_count integer)
RETURNS TABLE (id text, blob_name text, required boolean)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_files', true);
  RETURN QUERY
  SELECT f.id, f.blob_name, f.stored_at IS NOT NULL AND f.data_key IS NOT NULL
  FROM public.files AS f
  WHERE f.id > after_id
  ORDER BY f.id
  LIMIT max_count;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Stores the end of an attempt on the current platform, in its row or in that of equal attempts before it. The first 5
-- and the last 45 rows remain. The caller has checked that the attempt owns the record.
CREATE FUNCTION record_attempt(
  record_id text, attempt integer, step text, outcome text, reason text, milliseconds integer, actor text
)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
  started CONSTANT timestamptz := clock_timestamp() - milliseconds * interval '1 millisecond';
BEGIN
  IF attempt > 1 THEN
    UPDATE public.kyc_attempts AS a
    SET last_number = attempt, last_started_at = started, milliseconds = record_attempt.milliseconds, count = a.count + 1
    WHERE a.platform_id = platform AND a.record_id = record_attempt.record_id
      AND a.number = (
        SELECT max(p.number) FROM public.kyc_attempts AS p
        WHERE p.platform_id = platform AND p.record_id = record_attempt.record_id
      )
      AND a.last_number < attempt
      AND (a.step, a.outcome, a.actor) = (step, outcome, actor) AND a.reason IS NOT DISTINCT FROM reason;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  INSERT INTO public.kyc_attempts (
    platform_id, record_id, number, last_number, step, outcome, reason, started_at, last_started_at, milliseconds, actor
  )
  VALUES (platform, record_id, attempt, attempt, step, outcome, reason, started, started, milliseconds, actor)
  ON CONFLICT DO NOTHING;
  IF attempt > 50 THEN
    DELETE FROM public.kyc_attempts AS a
    USING (
      SELECT p.number, row_number() OVER (ORDER BY p.number) AS first, row_number() OVER (ORDER BY p.number DESC) AS last
      FROM public.kyc_attempts AS p
      WHERE p.platform_id = platform AND p.record_id = record_attempt.record_id
    ) AS ranked
    WHERE a.platform_id = platform AND a.record_id = record_attempt.record_id AND a.number = ranked.number
      AND ranked.first > 5 AND ranked.last > 45;
  END IF;
END
$$;

-- What callers see of a document request's change: the data of its event, without the ids of its record.
CREATE FUNCTION document_request_change(request document_requests)
RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object(
    'type', 'kyc.request_updated',
    'documentRequestId', request.id,
    'documentType', request.document_type,
    'dueAt', to_char(request.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'status', request.status
  )
$$;

-- Adds each change of a request that callers see to the history of its record. Every writer has locked the record.
CREATE FUNCTION write_document_request_change()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND public.document_request_change(OLD) = public.document_request_change(NEW) THEN
    RETURN NULL;
  END IF;
  INSERT INTO public.kyc_history
    (platform_id, record_id, source, resolution, status, sub_status, card_account_id, revision, explanation, event)
  SELECT r.platform_id, r.id, NEW.source, r.resolution, r.status, r.sub_status, r.card_account_id, r.revision,
         r.explanation, public.document_request_change(NEW)
  FROM public.kyc_records AS r
  WHERE r.platform_id = NEW.platform_id AND r.id = NEW.record_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER document_request_changed AFTER INSERT OR UPDATE ON document_requests
  FOR EACH ROW EXECUTE FUNCTION write_document_request_change();

-- A final decision closes the requests of its record.
CREATE FUNCTION close_document_requests()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  request_id text;
BEGIN
  -- One by one, so that their changes have the order of the requests.
  FOR request_id IN
    SELECT d.id FROM public.document_requests AS d
    WHERE d.platform_id = NEW.platform_id AND d.record_id = NEW.record_id AND d.status <> 'closed'
    ORDER BY d.requested_at, d.id
  LOOP
    UPDATE public.document_requests AS d
    SET status = 'closed', source = NEW.source
    WHERE d.platform_id = NEW.platform_id AND d.record_id = NEW.record_id AND d.id = request_id;
  END LOOP;
  RETURN NULL;
END
$$;

-- After kyc_changed, by its name: the event of the decision has the lower number.
CREATE TRIGGER kyc_decided AFTER INSERT ON kyc_history
  FOR EACH ROW WHEN (NEW.event IS NULL AND (NEW.resolution = 'refused' OR NEW.status IN ('APPROVED', 'REJECTED')))
  EXECUTE FUNCTION close_document_requests();

-- Writes the event of a change in the transaction of the change. The change's number is the count of the record's
-- history rows, which is stable because every writer has locked the record.
CREATE OR REPLACE FUNCTION write_kyc_event()
RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  event_type CONSTANT text := coalesce(NEW.event ->> 'type', 'kyc.updated');
  sequence integer;
BEGIN
  IF EXISTS (
    SELECT FROM public.webhook_endpoints AS e
    WHERE e.platform_id = NEW.platform_id AND e.deleted_at IS NULL AND event_type = ANY (e.event_types)
  ) THEN
    sequence := (SELECT count(*) FROM public.kyc_history AS h
                 WHERE h.platform_id = NEW.platform_id AND h.record_id = NEW.record_id AND h.id <= NEW.id);
    PERFORM public.write_webhook_event(
      public.webhook_id('msg'), event_type, NEW.id, NEW.record_id, sequence,
      -- Whole, because a process of an earlier version may deliver it.
      NEW.event - 'type' || jsonb_build_object(
        'kycRecordId', NEW.record_id,
        'externalUserId',
        (SELECT r.user_id FROM public.kyc_records AS r WHERE r.platform_id = NEW.platform_id AND r.id = NEW.record_id),
        'sequence', sequence
      ),
      NULL
    );
  END IF;
  RETURN NULL;
END
$$;

-- Counts the requests of all platforms that the platform has not answered in time, and the answers that the provider does
-- not have, each with the time since then of the oldest one.
CREATE FUNCTION count_document_requests()
RETURNS TABLE (state text, count bigint, oldest_seconds numeric)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  RETURN QUERY
  SELECT w.state, count(*), round(extract(epoch FROM clock_timestamp() - min(w.since)), 1)
  FROM (
    SELECT CASE d.status WHEN 'open' THEN 'overdue' ELSE 'unsent' END AS state,
           CASE d.status WHEN 'open' THEN d.due_at ELSE d.answered_at END AS since
    FROM public.document_requests AS d
    WHERE d.status <> 'closed' AND d.sent_at IS NULL
      -- An answer waits for those that the provider takes together with it.
      AND (d.status = 'open' OR d.together IS NULL OR NOT EXISTS (
        SELECT FROM public.document_requests AS o
        WHERE o.platform_id = d.platform_id AND o.record_id = d.record_id AND o.together = d.together AND o.status = 'open'
      ))
  ) AS w
  WHERE w.since < clock_timestamp()
  GROUP BY 1;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- The document of an approval that a renewal has replaced has no state and no events.
CREATE FUNCTION replace_approval()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE public.kyc_records AS r SET document_expiry = NULL, document_check_at = NULL
  WHERE r.platform_id = NEW.platform_id AND r.id = NEW.renews;
  RETURN NULL;
END
$$;

CREATE TRIGGER renewal_approved AFTER UPDATE OF status ON kyc_records
  FOR EACH ROW WHEN (NEW.renews IS NOT NULL AND NEW.status = 'APPROVED' AND OLD.status IS DISTINCT FROM NEW.status)
  EXECUTE FUNCTION replace_approval();

-- Leases approved records of all platforms whose documents a worker looks at. Those that no worker has looked at, of which
-- an upgrade leaves many, come last. A lease is the next look, so that a record whose worker fails is due again. Calls are
-- serialized: with an older snapshot, a call would lock the records that another one has leased.
CREATE FUNCTION lease_documents(max_count integer, lease interval, present timestamptz)
RETURNS TABLE (platform_id text, record_id text, leased_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  since timestamptz;
  leased integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('lease_documents'), 0);
  leased_at := coalesce(present, clock_timestamp());
  PERFORM set_config('cardbridge.task', 'lease_due', true);
  FOREACH since IN ARRAY ARRAY['epoch'::timestamptz + interval '1 second', 'epoch'] LOOP
    RETURN QUERY
    WITH due AS (
      SELECT d.id FROM public.kyc_records AS d
      WHERE d.status = 'APPROVED' AND d.document_check_at >= since AND d.document_check_at <= leased_at
      ORDER BY d.document_check_at
      LIMIT max_count - leased
      FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE public.kyc_records AS r
    SET document_check_at = leased_at + lease
    FROM due
    WHERE r.id = due.id
    RETURNING r.platform_id, r.id, leased_at;
    GET DIAGNOSTICS leased = ROW_COUNT;
  END LOOP;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Counts approved records of all platforms by the state of their document, up to a number of each, and for how long the
-- oldest due one has been due.
CREATE FUNCTION count_documents(max_count integer)
RETURNS TABLE (state text, count bigint, oldest_seconds numeric)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  present CONSTANT timestamptz := clock_timestamp();
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  RETURN QUERY
  SELECT s.name, c.count, 0.0
  FROM (VALUES ('expiring'), ('expired')) AS s (name)
  CROSS JOIN LATERAL (
    SELECT count(*) FROM (
      SELECT FROM public.kyc_records AS r
      WHERE r.status = 'APPROVED' AND r.document_expiry IN ('expiring', 'expired') AND r.document_expiry = s.name
      LIMIT max_count
    ) AS found
  ) AS c
  UNION ALL
  SELECT 'unchecked', count(*), 0.0 FROM (
    SELECT FROM public.kyc_records AS r WHERE r.status = 'APPROVED' AND r.document_check_at = 'epoch' LIMIT max_count
  ) AS found
  UNION ALL
  SELECT 'due', count(*), coalesce(round(extract(epoch FROM present - min(found.document_check_at)), 1), 0.0) FROM (
    SELECT r.document_check_at FROM public.kyc_records AS r
    WHERE r.status = 'APPROVED' AND r.document_check_at > 'epoch' AND r.document_check_at <= present
    ORDER BY r.document_check_at
    LIMIT max_count
  ) AS found;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

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

-- The version of a user's identifiers, records and erasure; null for no user. The identifiers are in it as keyed hashes,
-- and each change of a record as a row of its history.
CREATE FUNCTION user_version(of_platform text, of_user text)
RETURNS text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT left(encode(sha256(convert_to(concat_ws('/',
    coalesce(encode(u.member_id_index, 'hex'), '-'), coalesce(encode(u.email_index, 'hex'), '-'),
    coalesce(extract(epoch FROM u.erase_requested_at)::text, '-'), coalesce(extract(epoch FROM u.erased_at)::text, '-'),
    public.is_held(u.platform_id, u.id),
    (
      SELECT count(*) || '.' || coalesce(max(h.id), 0)
      FROM public.kyc_records AS r
      JOIN public.kyc_history AS h ON h.platform_id = r.platform_id AND h.record_id = r.id
      WHERE r.platform_id = u.platform_id AND r.user_id = u.id
    )
  ), 'UTF8')), 'hex'), 32)
  FROM public.users AS u
  WHERE u.platform_id = of_platform AND u.id = of_user
$$;

-- The version of a record: each change of its state writes a row of the history. Null for no record.
CREATE FUNCTION record_version(of_platform text, of_record text)
RETURNS text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT max(h.id)::text FROM public.kyc_history AS h WHERE h.platform_id = of_platform AND h.record_id = of_record
$$;

-- The current version of what a proposal is about. A proposal that saw another one is void.
CREATE FUNCTION proposal_version(kind text, of_platform text, of_user text, of_record text, of_hold text)
RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE kind
    WHEN 'approve' THEN public.record_version(of_platform, of_record)
    WHEN 'liftHold' THEN (
      SELECT CASE WHEN h.lifted_at IS NULL AND (h.until IS NULL OR h.until > clock_timestamp()) THEN 'active' ELSE 'over' END
      FROM public.holds AS h
      WHERE h.platform_id = of_platform AND h.id = of_hold
    )
    ELSE public.user_version(of_platform, of_user)
  END
$$;

-- The platform of a proposal, when the caller does not know it yet.
CREATE FUNCTION platform_of_proposal(proposal_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  result text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_proposals', true);
  SELECT p.platform_id INTO result FROM public.proposals AS p WHERE p.id = proposal_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN result;
END
$$;

-- Opens a record's evidence on the current platform for a known person for 15 minutes, and audits it. The opening keeps the
-- hash of what was opened. Returns what is read; no row if the record does not exist.
CREATE FUNCTION open_evidence(
  opening_id text, record_id text, person_id text, purpose text, actor text, request_id text, address text,
  evidence_hash text
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
    id, platform_id, record_id, person_id, purpose, audit_id, evidence_hash, opened_at, expires_at
  )
  VALUES (opening_id, platform, record_id, person_id, purpose, audit_id, evidence_hash, opened_at, expires_at);
  RETURN NEXT;
END
$$;

-- Whether a person has opened this evidence of a record.
CREATE FUNCTION has_opened_evidence(of_platform text, of_record text, person text, hash text)
RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM public.evidence_openings AS o
    WHERE o.platform_id = of_platform AND o.record_id = of_record AND o.person_id = person AND o.evidence_hash = hash
  )
$$;

-- Confirms or withdraws an open proposal of the current platform. It locks what the proposal is about until the
-- transaction ends, in the order in which all transactions lock, so that the act of a confirmation can follow. Both persons
-- have opened the evidence of an approval, and a blocked person's proposal is void. Returns 'done' or why not; null without
-- such a proposal. A withdrawal of the command line names no person.
CREATE FUNCTION decide_proposal(proposal_id text, new_decision text, person text, evidence text)
RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  platform CONSTANT text := current_setting('cardbridge.platform', true);
  confirms CONSTANT boolean := new_decision IS NOT DISTINCT FROM 'confirmed';
  found_one public.proposals;
BEGIN
  SELECT * INTO found_one FROM public.proposals AS p WHERE p.platform_id = platform AND p.id = proposal_id;
  PERFORM FROM public.users AS u WHERE u.platform_id = platform AND u.id = found_one.user_id FOR NO KEY UPDATE;
  IF found_one.kind = 'approve' THEN
    PERFORM FROM public.kyc_records AS r WHERE r.platform_id = platform AND r.id = found_one.record_id FOR NO KEY UPDATE;
  END IF;
  PERFORM FROM public.holds AS h WHERE h.platform_id = platform AND h.id = found_one.hold_id FOR NO KEY UPDATE;
  SELECT * INTO found_one FROM public.proposals AS p WHERE p.platform_id = platform AND p.id = proposal_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF found_one.decision IS NOT NULL THEN
    RETURN 'decided';
  END IF;
  IF found_one.expires_at <= clock_timestamp() THEN
    RETURN 'expired';
  END IF;
  IF (confirms OR person IS NOT NULL)
    AND NOT EXISTS (SELECT FROM public.persons AS k WHERE k.id = person AND k.blocked_at IS NULL) THEN
    RETURN 'unknown-person';
  END IF;
  IF confirms AND found_one.proposer = person THEN
    RETURN 'same-person';
  END IF;
  IF EXISTS (SELECT FROM public.persons AS k WHERE k.id = found_one.proposer AND k.blocked_at IS NOT NULL) THEN
    RETURN 'proposer-blocked';
  END IF;
  IF found_one.seen IS DISTINCT FROM public.proposal_version(
    found_one.kind, platform, found_one.user_id, found_one.record_id, found_one.hold_id
  ) OR (confirms AND found_one.evidence_hash IS NOT NULL AND found_one.evidence_hash IS DISTINCT FROM evidence) THEN
    RETURN 'changed';
  END IF;
  IF confirms AND found_one.kind = 'approve' THEN
    IF NOT public.has_opened_evidence(platform, found_one.record_id, found_one.proposer, evidence) THEN
      RETURN 'proposer-evidence-not-opened';
    END IF;
    IF NOT public.has_opened_evidence(platform, found_one.record_id, person, evidence) THEN
      RETURN 'evidence-not-opened';
    END IF;
  END IF;
  UPDATE public.proposals AS p
  SET decision = new_decision, decided_at = clock_timestamp(),
      confirmer = CASE WHEN confirms THEN person END, withdrawer = CASE WHEN NOT confirms THEN person END
  WHERE p.id = proposal_id;
  RETURN 'done';
END
$$;

-- Deletes openings that expired a day ago, but not those that an open proposal needs.
CREATE FUNCTION sweep_openings(max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  deleted bigint;
BEGIN
  PERFORM set_config('cardbridge.task', 'sweep_openings', true);
  WITH expired AS (
    SELECT o.id FROM public.evidence_openings AS o
    WHERE o.expires_at < clock_timestamp() - interval '1 day'
      AND NOT EXISTS (
        SELECT FROM public.proposals AS p
        WHERE p.platform_id = o.platform_id AND p.record_id = o.record_id AND p.evidence_hash = o.evidence_hash
          AND p.decision IS NULL AND p.expires_at > clock_timestamp()
      )
    ORDER BY o.expires_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  )
  DELETE FROM public.evidence_openings AS o USING expired AS e WHERE o.id = e.id;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN deleted;
END
$$;

REVOKE ALL ON FUNCTION
  ask_waiting_records(text, integer), list_blobs(text, integer),
  record_attempt(text, integer, text, text, text, integer, text), restricted_reasons(text, bigint, bigint),
  user_version(text, text), record_version(text, text), proposal_version(text, text, text, text, text),
  platform_of_proposal(text), open_evidence(text, text, text, text, text, text, text, text),
  has_opened_evidence(text, text, text, text), decide_proposal(text, text, text, text), sweep_openings(integer),
  document_request_change(document_requests), write_document_request_change(), close_document_requests(), replace_approval(),
  count_document_requests(), lease_documents(integer, interval, timestamptz), count_documents(integer)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  ask_waiting_records(text, integer), list_blobs(text, integer),
  record_attempt(text, integer, text, text, text, integer, text), restricted_reasons(text, bigint, bigint),
  user_version(text, text), record_version(text, text), proposal_version(text, text, text, text, text),
  platform_of_proposal(text), open_evidence(text, text, text, text, text, text, text, text),
  has_opened_evidence(text, text, text, text), decide_proposal(text, text, text, text), sweep_openings(integer),
  document_request_change(document_requests), count_document_requests(),
  lease_documents(integer, interval, timestamptz), count_documents(integer)
  TO cardbridge_service;
GRANT EXECUTE ON FUNCTION
  user_version(text, text), record_version(text, text), proposal_version(text, text, text, text, text),
  has_opened_evidence(text, text, text, text)
  TO cardbridge_operators;
