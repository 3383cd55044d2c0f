-- Objects that drizzle-kit cannot generate: the service's role, forced row-level security and grants.

-- Roles belong to the whole cluster: another database may create this role at the same time.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cardbridge_service') THEN
    CREATE ROLE cardbridge_service NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$$;

-- The platform of the internal apps' keys. It has no users. The owner cannot insert it after the FORCE below.
INSERT INTO platforms (id, name) VALUES ('internal', 'Internal apps');

-- FORCE applies the policies to the owner of the tables too.
ALTER TABLE service_environment FORCE ROW LEVEL SECURITY;
ALTER TABLE platforms FORCE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE kyc_records FORCE ROW LEVEL SECURITY;
ALTER TABLE kyc_history FORCE ROW LEVEL SECURITY;
ALTER TABLE provider_steps FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE files FORCE ROW LEVEL SECURITY;
ALTER TABLE file_usage FORCE ROW LEVEL SECURITY;
ALTER TABLE known_encryption_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_entries FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_checkpoints FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook_endpoints FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook_events FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook_attempts FORCE ROW LEVEL SECURITY;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO cardbridge_service;

-- The service reports pending migrations.
GRANT USAGE ON SCHEMA drizzle TO cardbridge_service;
GRANT SELECT ON drizzle.__drizzle_migrations TO cardbridge_service;

GRANT SELECT, INSERT ON service_environment TO cardbridge_service;

GRANT SELECT, INSERT, UPDATE (name) ON platforms TO cardbridge_service;

-- The service cannot read hashes. Only functions expire or revoke a key, and none extends a key.
GRANT SELECT (id, platform_id, name, prefix, scopes, expires_at, created_at, revoked_at, last_used_at),
  INSERT (id, platform_id, name, prefix, hash, scopes, expires_at)
  ON api_keys TO cardbridge_service;

-- Needed to lock a user (FOR UPDATE requires UPDATE on a column), to request an erasure and to rewrap a data key.
GRANT SELECT, INSERT, UPDATE (erase_requested_at, data_key, key_version) ON users TO cardbridge_service;

GRANT SELECT, INSERT, UPDATE (
    resolution, status, sub_status, card_account_id, revision, explanation,
    attempt, step, not_found, lease_until, due_at, needs_attention_since, answered_at
  ) ON kyc_records TO cardbridge_service;

-- Only compliance may read restricted_reasons: the service can insert them but not read them. A superuser can.
GRANT SELECT (
    id, platform_id, record_id, source, resolution, status, sub_status, card_account_id, revision, explanation,
    observed_at, txid
  ), INSERT ON kyc_history TO cardbridge_service;

GRANT SELECT, INSERT, UPDATE (attempt, result, kept_at) ON provider_steps TO cardbridge_service;

GRANT SELECT, INSERT, UPDATE (record_id) ON idempotency_keys TO cardbridge_service;

GRANT SELECT, INSERT,
  UPDATE (user_id, data_key, key_version, stored_at, expires_at, upload_id, upload_fingerprint)
  ON files TO cardbridge_service;
GRANT SELECT ON file_usage TO cardbridge_service;

-- The database sets the time and the transaction id of an entry.
GRANT SELECT, INSERT (platform_id, actor, operation, subject, outcome, request_id, address)
  ON audit_entries TO cardbridge_service;
GRANT SELECT, INSERT ON audit_checkpoints TO cardbridge_service;

-- Only functions write webhook events and deliveries, delete rows and take leases.
GRANT SELECT, INSERT, UPDATE (
    event_types, description, encrypted, data_key, key_version, previous_secret_until, disabled_reason, disabled_at,
    failing_since, succeeded, deleted_at
  ) ON webhook_endpoints TO cardbridge_service;
GRANT SELECT ON webhook_events TO cardbridge_service;
GRANT SELECT, UPDATE (
    status, attempt, attempts, lease_until, due_at, delivered_at, redeliveries, redeliveries_since
  ) ON webhook_deliveries TO cardbridge_service;
GRANT SELECT, INSERT ON webhook_attempts TO cardbridge_service;
