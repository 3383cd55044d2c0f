CREATE TABLE "service_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"version" text NOT NULL,
	"commit" text,
	"host" text NOT NULL,
	"files" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "service_processes_role" CHECK ("service_processes"."role" in ('all', 'api', 'worker'))
);
--> statement-breakpoint
ALTER TABLE "service_processes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "owner_track_processes" ON "service_processes" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'track_processes');--> statement-breakpoint
-- FORCE applies the policy to the owner of the table too.
ALTER TABLE service_processes FORCE ROW LEVEL SECURITY;

-- Stores a heartbeat of a process, and its row if it is missing. Deletes processes that had none for a day: they were
-- killed, or lost their database.
CREATE FUNCTION renew_process(process jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'track_processes', true);
  INSERT INTO public.service_processes (id, role, version, commit, host, files)
  SELECT p.id, p.role, p.version, p.commit, p.host, p.files
  FROM jsonb_to_record(process) AS p (id text, role text, version text, commit text, host text, files text)
  ON CONFLICT (id) DO UPDATE SET seen_at = now();
  DELETE FROM public.service_processes AS p WHERE p.seen_at < now() - interval '1 day';
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Lists the processes, the latest heartbeat first. A process is live for 45 seconds after its last one.
CREATE FUNCTION list_processes(max_count integer)
RETURNS TABLE (
  id text, role text, version text, commit text, host text, files text, started_at timestamptz, seen_at timestamptz,
  live_until timestamptz, live boolean
)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'track_processes', true);
  RETURN QUERY
  SELECT p.id, p.role, p.version, p.commit, p.host, p.files, p.started_at, p.seen_at,
         p.seen_at + interval '45 seconds', p.seen_at + interval '45 seconds' > now()
  FROM public.service_processes AS p
  ORDER BY p.seen_at DESC, p.id
  LIMIT least(max_count, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Stores a process that starts, unless a live process has its files in another store: returns that one instead. The
-- lock lets processes that start at once see each other.
CREATE FUNCTION register_process(process jsonb)
RETURNS TABLE (host text, live_until timestamptz)
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('register_process'), 0);
  RETURN QUERY
  SELECT other.host, other.live_until
  FROM public.list_processes(1000) AS other
  WHERE other.live AND other.files <> process ->> 'files'
  LIMIT 1;
  IF NOT FOUND THEN
    PERFORM public.renew_process(process);
  END IF;
END
$$;

-- Removes a process that stops.
CREATE FUNCTION remove_process(process_id text)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'track_processes', true);
  DELETE FROM public.service_processes AS p WHERE p.id = process_id;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION
  register_process(jsonb), renew_process(jsonb), remove_process(text), list_processes(integer)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  register_process(jsonb), renew_process(jsonb), remove_process(text), list_processes(integer)
  TO cardbridge_service;
