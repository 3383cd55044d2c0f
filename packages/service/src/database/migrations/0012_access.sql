-- FORCE applies the policies to the owner of the tables too.
ALTER TABLE service_processes FORCE ROW LEVEL SECURITY;
ALTER TABLE holds FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_reads FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_exports FORCE ROW LEVEL SECURITY;
ALTER TABLE erasure_log FORCE ROW LEVEL SECURITY;
ALTER TABLE backups FORCE ROW LEVEL SECURITY;
ALTER TABLE restores FORCE ROW LEVEL SECURITY;
ALTER TABLE restored_executions FORCE ROW LEVEL SECURITY;
ALTER TABLE provider_lookups FORCE ROW LEVEL SECURITY;
ALTER TABLE persons FORCE ROW LEVEL SECURITY;
ALTER TABLE kyc_attempts FORCE ROW LEVEL SECURITY;
ALTER TABLE document_requests FORCE ROW LEVEL SECURITY;
ALTER TABLE record_assignments FORCE ROW LEVEL SECURITY;
ALTER TABLE record_notes FORCE ROW LEVEL SECURITY;
ALTER TABLE evidence_openings FORCE ROW LEVEL SECURITY;
ALTER TABLE proposals FORCE ROW LEVEL SECURITY;
ALTER TABLE pauses FORCE ROW LEVEL SECURITY;

-- Each read changes a row, so that it stays on its page, without new index entries.
ALTER TABLE audit_reads SET (fillfactor = 60);

-- The database sets the time of a hold, and only lift_hold ends one.
GRANT SELECT, INSERT (id, platform_id, user_id, record_id, reference, until, placed_by) ON holds TO cardbridge_service;

-- Only the functions below write counts: the service's role cannot lower one.
GRANT SELECT ON audit_reads TO cardbridge_service;
GRANT SELECT, INSERT (
    platform_id, month, first_number, last_number, last_hash, entries, digest, exported_by, hash
  ) ON audit_exports TO cardbridge_service;
GRANT SELECT ON backups TO cardbridge_service;
GRANT SELECT, INSERT (checked_at, listed), UPDATE (checked_at, listed) ON restores TO cardbridge_service;
GRANT SELECT, INSERT ON restored_executions TO cardbridge_service;
GRANT SELECT, INSERT (id), UPDATE (due_at), DELETE ON provider_lookups TO cardbridge_service;

-- No person is deleted, because the audit names it. The identity never changes.
GRANT SELECT, INSERT (id, issuer, subject_index, encrypted, data_key, key_version, roles),
  UPDATE (encrypted, data_key, key_version, roles, last_seen_at, blocked_at)
  ON persons TO cardbridge_service;
GRANT USAGE ON SCHEMA public TO cardbridge_operators;
GRANT SELECT (id, name) ON platforms TO cardbridge_operators;
GRANT SELECT (id, platform_id, member_id_index, email_index, created_at, erase_requested_at, erased_at)
  ON users TO cardbridge_operators;
GRANT SELECT (
    id, platform_id, user_id, resolution, status, sub_status, card_account_id, explanation, due_at,
    needs_attention_since, created_at, document_expiry, renews
  ) ON kyc_records TO cardbridge_operators;
GRANT SELECT (id, platform_id, record_id, resolution, status, observed_at, txid, event) ON kyc_history
  TO cardbridge_operators;
GRANT SELECT (platform_id, user_id, until, lifted_at) ON holds TO cardbridge_operators;
GRANT SELECT (id, platform_id, actor, operation, subject, outcome, request_id, address, at, txid, count)
  ON audit_entries TO cardbridge_operators;
GRANT SELECT (actor, event) ON kyc_history TO cardbridge_service;
GRANT SELECT, INSERT, UPDATE (
    document_type, accepts, reason, requested_at, due_at, status, revision, source, answered_at, sent_at, encrypted,
    fingerprint, attempted_at, not_found, together
  ) ON document_requests TO cardbridge_service;
GRANT SELECT (platform_id, record_id, id, document_type, accepts, requested_at, due_at, status, answered_at, sent_at)
  ON document_requests TO cardbridge_operators;
GRANT UPDATE (requeued_at, approved_at, document_expiry, document_check_at) ON kyc_records TO cardbridge_service;

-- Only record_attempt writes attempts.
GRANT SELECT ON kyc_attempts TO cardbridge_service;
GRANT SELECT, INSERT, UPDATE (assignee, role, version, assigned_at) ON record_assignments TO cardbridge_service;

-- The database sets the time of a note. Only an erasure deletes one.
GRANT SELECT, INSERT (id, platform_id, record_id, restricted, encrypted, actor, person_id)
  ON record_notes TO cardbridge_service;
GRANT SELECT (platform_id, record_id, number, outcome, reason, last_started_at, count)
  ON kyc_attempts TO cardbridge_operators;
GRANT SELECT (platform_id, record_id, assignee, role, version) ON record_assignments TO cardbridge_operators;

-- Only open_evidence writes an opening, and only sweep_openings deletes one.
GRANT SELECT ON evidence_openings TO cardbridge_service;
GRANT INSERT (purpose) ON audit_entries TO cardbridge_service;
GRANT SELECT (purpose) ON audit_entries TO cardbridge_operators;

-- The database sets the times of a proposal, and only decide_proposal decides one.
GRANT SELECT, INSERT (
    id, platform_id, user_id, record_id, hold_id, kind, actor, proposer, seen, evidence_hash, encrypted
  ) ON proposals TO cardbridge_service;
GRANT SELECT (
    id, platform_id, user_id, record_id, hold_id, kind, actor, proposer, seen, evidence_hash, proposed_at, expires_at,
    decision, confirmer, withdrawer, decided_at
  ) ON proposals TO cardbridge_operators;
GRANT SELECT (id) ON holds TO cardbridge_operators;
GRANT SELECT ON pauses TO cardbridge_service;
GRANT INSERT (id, platform_id, reason, until, paused_by, person_id) ON pauses TO cardbridge_service;

-- A pause only ends. Its target, its reason and its time stay as the operator gave them.
GRANT UPDATE (resumed_by, ended_at) ON pauses TO cardbridge_service;
GRANT SELECT ON pauses TO cardbridge_operators;
GRANT SELECT (platform_id, month, dropped_at) ON audit_exports TO cardbridge_operators;
GRANT SELECT (id, platform_id, description, disabled_reason, disabled_at, failing_since, deleted_at)
  ON webhook_endpoints TO cardbridge_operators;
GRANT SELECT (id, platform_id, type) ON webhook_events TO cardbridge_operators;
GRANT SELECT (
    id, platform_id, endpoint_id, event_id, record_id, sequence, status, attempts, redeliveries, redeliveries_since,
    created_at, due_at, lease_until, delivered_at
  ) ON webhook_deliveries TO cardbridge_operators;
GRANT SELECT (platform_id, delivery_id, lease, started_at, status, reason) ON webhook_attempts TO cardbridge_operators;

-- For the state of a proposal, and for who has opened its evidence.
GRANT SELECT (id, blocked_at) ON persons TO cardbridge_operators;
GRANT SELECT (platform_id, record_id, person_id, evidence_hash) ON evidence_openings TO cardbridge_operators;
GRANT SELECT (created_by), INSERT (created_by) ON api_keys TO cardbridge_service;

-- The role of backups, which the migration command creates, reads tables and executes no function.
REVOKE ALL ON FUNCTION audit_txid(xid8), not_found_after_lease(timestamptz, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_txid(xid8), not_found_after_lease(timestamptz, text, integer) TO cardbridge_service;
GRANT EXECUTE ON FUNCTION audit_txid(xid8) TO cardbridge_operators;

-- Statements without parameters keep a plan that the empty tables led to, also with plan_cache_mode. Two partial indexes
-- contain exactly the waiting records.
ALTER FUNCTION count_waiting() SET enable_seqscan = off;
ALTER FUNCTION list_waiting(interval, text, integer) SET enable_seqscan = off;

-- Users who were erased before the log existed belong in it too: an older backup contains them.
DO $$
BEGIN
  PERFORM set_config('cardbridge.task', 'erase', true);
  INSERT INTO erasure_log (platform_id, user_id) SELECT platform_id, id FROM users WHERE erased_at IS NOT NULL;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- A key with admin keeps its rights. It keeps admin too, for processes of the version before.
DO $$
BEGIN
  PERFORM set_config('cardbridge.task', 'find_api_keys', true);
  UPDATE api_keys
  SET scopes = scopes || ARRAY[
    'ops.records.read', 'ops.records.act', 'ops.records.decide', 'ops.evidence', 'ops.compliance', 'ops.users.read',
    'ops.users.write', 'ops.platforms', 'ops.keys', 'ops.webhooks', 'ops.audit', 'ops.encryption'
  ]
  WHERE 'admin' = ANY (scopes);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- The audit knows who created a key, until its month is exported and dropped. A key of a rotation has no creator: its entry
-- names the predecessor.
DO $$
DECLARE
  creators jsonb;
BEGIN
  PERFORM set_config('cardbridge.platform', 'internal', true);
  SELECT jsonb_object_agg(e.subject, e.actor) INTO creators
  FROM audit_entries AS e
  WHERE e.platform_id = 'internal' AND e.operation = 'keys.create' AND e.outcome = 'done' AND e.subject IS NOT NULL;
  PERFORM set_config('cardbridge.platform', '', true);
  PERFORM set_config('cardbridge.task', 'find_api_keys', true);
  UPDATE api_keys SET created_by = creators ->> id WHERE creators ? id;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
