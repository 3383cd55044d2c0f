CREATE TABLE "persons" (
	"id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject_index" "bytea" NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"data_key" "bytea" NOT NULL,
	"key_version" integer NOT NULL,
	"roles" text[] NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"blocked_at" timestamp with time zone,
	CONSTRAINT "persons_identity" UNIQUE("issuer","subject_index")
);
--> statement-breakpoint
ALTER TABLE "persons" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
-- NOT VALID: the existing rows satisfy it; the next migration validates them.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_operators_are_internal" CHECK ("api_keys"."platform_id" = 'internal' or array_to_string("api_keys"."scopes", ' ') !~ '(^| )ops[.]') NOT VALID;--> statement-breakpoint
CREATE POLICY "persons_of_all" ON "persons" AS PERMISSIVE FOR ALL TO public USING (true);--> statement-breakpoint
-- FORCE applies the policy to the owner of the table too.
ALTER TABLE persons FORCE ROW LEVEL SECURITY;

-- No person is deleted, because the audit names it. The identity never changes.
GRANT SELECT, INSERT (id, issuer, subject_index, encrypted, data_key, key_version, roles),
  UPDATE (encrypted, data_key, key_version, roles, last_seen_at, blocked_at)
  ON persons TO cardbridge_service;

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

-- Returns platforms with their names, oldest first: those with these ids, or all if only_ids is NULL. Not that of the
-- internal apps.
CREATE FUNCTION name_platforms(only_ids text[], max_count integer)
RETURNS TABLE (id text, name text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'list_platforms', true);
  RETURN QUERY
  SELECT p.id, p.name
  FROM public.platforms AS p
  WHERE p.id <> 'internal' AND (only_ids IS NULL OR p.id = ANY (only_ids))
  ORDER BY p.created_at, p.id
  LIMIT least(max_count, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- As before, and a version of the ring is also in use while it wraps a key of a person.
CREATE OR REPLACE FUNCTION check_encryption_keys(input jsonb)
RETURNS TABLE (name text, problem text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('cardbridge.task', 'check_encryption_keys', true);
  FOR pass IN 1..2 LOOP
    RETURN QUERY
    SELECT k.name, CASE WHEN i.name IS NULL THEN 'missing' ELSE 'wrong' END
    FROM public.known_encryption_keys AS k
    LEFT JOIN jsonb_to_recordset(input) AS i (name text, check_value text) ON i.name = k.name
    WHERE i.check_value IS DISTINCT FROM k.check_value
      AND (i.name IS NOT NULL
        OR EXISTS (SELECT FROM public.users AS u WHERE u.key_version = k.ring_version)
        OR EXISTS (SELECT FROM public.files AS f WHERE f.key_version = k.ring_version)
        OR EXISTS (SELECT FROM public.webhook_endpoints AS e WHERE e.key_version = k.ring_version)
        OR EXISTS (SELECT FROM public.persons AS p WHERE p.key_version = k.ring_version));
    EXIT WHEN FOUND OR pass = 2;
    INSERT INTO public.known_encryption_keys (name, ring_version, check_value)
    SELECT i.name, i.ring_version, i.check_value
    FROM jsonb_to_recordset(input) AS i (name text, ring_version integer, check_value text)
    ON CONFLICT DO NOTHING;
  END LOOP;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION name_platforms(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_platforms(text[], integer) TO cardbridge_service;
