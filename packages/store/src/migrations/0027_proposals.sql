CREATE TABLE "proposals" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"user_id" text NOT NULL,
	"record_id" text,
	"hold_id" text,
	"kind" text NOT NULL,
	"actor" text NOT NULL,
	"proposer" text,
	"seen" text NOT NULL,
	"evidence_hash" text,
	"encrypted" "bytea",
	"proposed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp with time zone DEFAULT clock_timestamp() + interval '24 hours' NOT NULL,
	"decision" text,
	"confirmer" text,
	"withdrawer" text,
	"decided_at" timestamp with time zone,
	CONSTRAINT "proposals_kind" CHECK ("proposals"."kind" in ('approve', 'relink', 'erase', 'liftHold')),
	CONSTRAINT "proposals_decision" CHECK ("proposals"."decision" in ('confirmed', 'withdrawn')),
	CONSTRAINT "proposals_two_persons" CHECK (proposer <> confirmer),
	CONSTRAINT "proposals_decided_at" CHECK (num_nonnulls(decision, decided_at) in (0, 2)),
	CONSTRAINT "proposals_confirmer" CHECK ((confirmer is not null) = (decision is not distinct from 'confirmed')),
	CONSTRAINT "proposals_subject" CHECK ((kind = 'liftHold') = (hold_id is not null) and (kind = 'approve') = (evidence_hash is not null) and (kind <> 'approve' or record_id is not null))
);
--> statement-breakpoint
ALTER TABLE "proposals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_user" FOREIGN KEY ("platform_id","user_id") REFERENCES "public"."users"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_record" FOREIGN KEY ("platform_id","record_id") REFERENCES "public"."kyc_records"("platform_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_hold" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "proposals_newest" ON "proposals" USING btree ("proposed_at","id");--> statement-breakpoint
CREATE INDEX "proposals_undecided" ON "proposals" USING btree ("expires_at") WHERE "proposals"."decision" is null;--> statement-breakpoint
CREATE INDEX "proposals_of_user" ON "proposals" USING btree ("platform_id","user_id");--> statement-breakpoint
CREATE INDEX "proposals_of_record" ON "proposals" USING btree ("platform_id","record_id") WHERE "proposals"."record_id" is not null;--> statement-breakpoint
CREATE INDEX "proposals_of_hold" ON "proposals" USING btree ("hold_id") WHERE "proposals"."hold_id" is not null;--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "proposals" AS PERMISSIVE FOR ALL TO public USING ("proposals"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "operators_read" ON "proposals" AS PERMISSIVE FOR SELECT TO "cardbridge_operators" USING (current_user = 'cardbridge_operators' and ((select current_setting('cardbridge.platforms', true)) = '*' or "proposals"."platform_id" in (select unnest(string_to_array(current_setting('cardbridge.platforms', true), ',')))));--> statement-breakpoint
CREATE POLICY "owner_read_proposals" ON "proposals" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'read_proposals');--> statement-breakpoint
CREATE POLICY "owner_erase" ON "proposals" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
ALTER TABLE proposals FORCE ROW LEVEL SECURITY;

-- The database sets the times of a proposal, and only decide_proposal decides one.
GRANT SELECT, INSERT (
    id, platform_id, user_id, record_id, hold_id, kind, actor, proposer, seen, evidence_hash, encrypted
  ) ON proposals TO cardbridge_service;
GRANT SELECT (
    id, platform_id, user_id, record_id, hold_id, kind, actor, proposer, seen, evidence_hash, proposed_at, expires_at,
    decision, confirmer, withdrawer, decided_at
  ) ON proposals TO cardbridge_operators;
GRANT SELECT (id) ON holds TO cardbridge_operators;

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

-- Confirms or withdraws an open proposal of the current platform. It locks what the proposal is about until the
-- transaction ends, in the order in which all transactions lock, so that the act of a confirmation can follow. Returns
-- 'done' or why not; null without such a proposal. A withdrawal of the command line names no person.
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
  IF found_one.seen IS DISTINCT FROM public.proposal_version(
    found_one.kind, platform, found_one.user_id, found_one.record_id, found_one.hold_id
  ) OR (confirms AND found_one.evidence_hash IS NOT NULL AND found_one.evidence_hash IS DISTINCT FROM evidence) THEN
    RETURN 'changed';
  END IF;
  UPDATE public.proposals AS p
  SET decision = new_decision, decided_at = clock_timestamp(),
      confirmer = CASE WHEN confirms THEN person END, withdrawer = CASE WHEN NOT confirms THEN person END
  WHERE p.id = proposal_id;
  RETURN 'done';
END
$$;

-- As before, with the proposals. Erases users whose erasure is requested and stored in the erasure log.
CREATE OR REPLACE FUNCTION erase_users(max_count integer)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  locked text[];
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  locked := ARRAY(
    SELECT u.id FROM public.users AS u
    WHERE u.erase_requested_at IS NOT NULL AND u.erased_at IS NULL
      AND EXISTS (SELECT FROM public.erasure_log AS l WHERE l.user_id = u.id AND l.stored_at IS NOT NULL)
      AND public.may_be_erased(u.platform_id, u.id)
    ORDER BY u.erase_requested_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  );
  -- Again, now that nothing can intervene.
  locked := ARRAY(
    SELECT u.id FROM public.users AS u WHERE u.id = ANY (locked) AND public.may_be_erased(u.platform_id, u.id)
  );
  DELETE FROM public.idempotency_keys AS k
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND k.platform_id = r.platform_id AND k.record_id = r.id;
  DELETE FROM public.provider_steps AS s
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND s.platform_id = r.platform_id AND s.record_id = r.id;
  DELETE FROM public.record_notes AS n
  USING public.users AS u, public.kyc_records AS r
  WHERE u.id = ANY (locked)
    AND r.platform_id = u.platform_id AND r.user_id = u.id
    AND n.platform_id = r.platform_id AND n.record_id = r.id;
  UPDATE public.proposals AS p
  SET encrypted = NULL
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND p.platform_id = u.platform_id AND p.user_id = u.id;
  DELETE FROM public.restored_executions AS e WHERE e.user_reference = ANY (locked);
  UPDATE public.kyc_records AS r
  SET encrypted = NULL, fingerprint = NULL
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND r.platform_id = u.platform_id AND r.user_id = u.id;
  UPDATE public.files AS f
  SET data_key = NULL, expires_at = clock_timestamp()
  FROM public.users AS u
  WHERE u.id = ANY (locked) AND f.platform_id = u.platform_id AND f.user_id = u.id;
  UPDATE public.users AS u
  SET member_id_index = NULL, email_index = NULL, encrypted = NULL, data_key = NULL, key_version = NULL,
      erased_at = clock_timestamp()
  WHERE u.id = ANY (locked);
  PERFORM set_config('cardbridge.task', '', true);
  RETURN cardinality(locked);
END
$$;

REVOKE ALL ON FUNCTION
  user_version(text, text), record_version(text, text), proposal_version(text, text, text, text, text),
  platform_of_proposal(text), decide_proposal(text, text, text, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  user_version(text, text), record_version(text, text), proposal_version(text, text, text, text, text),
  platform_of_proposal(text), decide_proposal(text, text, text, text)
  TO cardbridge_service;
GRANT EXECUTE ON FUNCTION
  user_version(text, text), record_version(text, text), proposal_version(text, text, text, text, text)
  TO cardbridge_operators;
