ALTER TABLE "evidence_openings" ADD COLUMN "evidence_hash" text;--> statement-breakpoint
CREATE POLICY "operators_read" ON "evidence_openings" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "evidence_openings"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_sweep_openings" ON "proposals" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'sweep_openings');--> statement-breakpoint
-- For the state of a proposal, and for who has opened its evidence.
GRANT SELECT (id, blocked_at) ON persons TO cardbridge_operators;
GRANT SELECT (platform_id, record_id, person_id, evidence_hash) ON evidence_openings TO cardbridge_operators;

-- As the function without a hash, which version 0.2.0 calls, and the opening keeps the hash of what was opened.
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
BEGIN
  RETURN QUERY SELECT * FROM public.open_evidence(opening_id, record_id, person_id, purpose, actor, request_id, address);
  UPDATE public.evidence_openings AS o SET evidence_hash = open_evidence.evidence_hash WHERE o.id = opening_id;
END
$$;

-- Whether a person has opened this evidence of a record. An opening of version 0.2.0 has no hash and does not count.
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

-- As before, with the sight of both persons: each has opened the evidence of an approval, and a blocked person's proposal
-- is void. Confirms or withdraws an open proposal of the current platform. It locks what the proposal is about until the
-- transaction ends, in the order in which all transactions lock, so that the act of a confirmation can follow. Returns
-- 'done' or why not; null without such a proposal. A withdrawal of the command line names no person.
CREATE OR REPLACE FUNCTION decide_proposal(proposal_id text, new_decision text, person text, evidence text)
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

-- As before, but for openings that an open proposal needs. Deletes openings that expired a day ago.
CREATE OR REPLACE FUNCTION sweep_openings(max_count integer)
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
  open_evidence(text, text, text, text, text, text, text, text), has_opened_evidence(text, text, text, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  open_evidence(text, text, text, text, text, text, text, text), has_opened_evidence(text, text, text, text)
  TO cardbridge_service;
GRANT EXECUTE ON FUNCTION has_opened_evidence(text, text, text, text) TO cardbridge_operators;
