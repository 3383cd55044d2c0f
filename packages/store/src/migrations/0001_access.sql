-- What drizzle-kit cannot express: the service's role, its grants, forced row-level security, and the
-- functions that run before a platform is known.

-- Roles belong to the whole cluster; another database may be creating this one at this moment.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cardbridge_service') THEN
    CREATE ROLE cardbridge_service NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$$;
--> statement-breakpoint
ALTER TABLE platforms FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE users FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE kyc_records FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE kyc_history FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO cardbridge_service;
--> statement-breakpoint
GRANT SELECT ON platforms TO cardbridge_service;
--> statement-breakpoint
-- SELECT ... FOR UPDATE asks for UPDATE on one column; it is how claims of one user wait for each other.
GRANT SELECT, INSERT, UPDATE (email) ON users TO cardbridge_service;
--> statement-breakpoint
GRANT SELECT, INSERT ON kyc_records TO cardbridge_service;
--> statement-breakpoint
GRANT UPDATE (settlement, status, sub_status, card_account_id, attempt, lease_until, due_at, answered_at)
  ON kyc_records TO cardbridge_service;
--> statement-breakpoint
GRANT SELECT, INSERT ON kyc_history TO cardbridge_service;
--> statement-breakpoint
-- The service tells whether migrations are pending.
GRANT USAGE ON SCHEMA drizzle TO cardbridge_service;
--> statement-breakpoint
GRANT SELECT ON drizzle.__drizzle_migrations TO cardbridge_service;
--> statement-breakpoint
-- The live key with this SHA-256. Nothing else of api_keys is readable to the service.
CREATE FUNCTION find_api_key(key_hash bytea)
RETURNS TABLE (key_id text, platform_id text, scopes text[])
LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.platform_id, k.scopes
  FROM public.api_keys AS k
  WHERE k.hash = key_hash
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION find_api_key(bytea) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION find_api_key(bytea) TO cardbridge_service;
