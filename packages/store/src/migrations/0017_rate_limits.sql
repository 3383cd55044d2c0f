CREATE UNLOGGED TABLE "limiting_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "limiting_processes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"platform_id" text NOT NULL,
	"kind" text NOT NULL,
	"tokens" double precision NOT NULL,
	"refilled_at" timestamp with time zone NOT NULL,
	CONSTRAINT "rate_limits_platform_id_kind_pk" PRIMARY KEY("platform_id","kind"),
	CONSTRAINT "rate_limits_kind" CHECK ("rate_limits"."kind" in ('query', 'mutation'))
);
--> statement-breakpoint
ALTER TABLE "rate_limits" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "rate_limits" ADD CONSTRAINT "rate_limits_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "owner_lease_rate_tokens" ON "limiting_processes" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'lease_rate_tokens');--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "rate_limits" AS PERMISSIVE FOR ALL TO public USING ("rate_limits"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
ALTER TABLE limiting_processes FORCE ROW LEVEL SECURITY;
ALTER TABLE rate_limits FORCE ROW LEVEL SECURITY;

-- Takes up to `wanted` tokens from a bucket of the platform that the transaction serves. The bucket holds `calls`, is full
-- at first, and gains `calls` per `seconds`, by this server's clock. Also returns what remains, and how many processes took
-- tokens of any platform within the last minute. A crash of the server fills the buckets, because the tables are unlogged.
CREATE FUNCTION lease_rate_tokens(process_id text, limited_kind text, calls integer, seconds integer, wanted integer)
RETURNS TABLE (granted integer, remaining double precision, processes integer)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  platform text := current_setting('cardbridge.platform', true);
  bucket record;
  moment timestamptz;
  available double precision;
BEGIN
  PERFORM set_config('cardbridge.task', 'lease_rate_tokens', true);
  -- Most calls write nothing here, so that the leases of one process do not wait for each other.
  IF NOT EXISTS (
    SELECT FROM public.limiting_processes AS p
    WHERE p.id = process_id AND p.seen_at > clock_timestamp() - interval '10 seconds'
  ) THEN
    INSERT INTO public.limiting_processes AS p (id, seen_at) VALUES (process_id, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
    DELETE FROM public.limiting_processes AS p
    WHERE p.id IN (
      SELECT o.id FROM public.limiting_processes AS o
      WHERE o.seen_at < clock_timestamp() - interval '1 hour'
      FOR UPDATE SKIP LOCKED
    );
  END IF;
  SELECT count(*) INTO processes FROM public.limiting_processes AS p
  WHERE p.seen_at > clock_timestamp() - interval '1 minute';
  PERFORM set_config('cardbridge.task', '', true);

  INSERT INTO public.rate_limits (platform_id, kind, tokens, refilled_at)
  VALUES (platform, limited_kind, calls, clock_timestamp())
  ON CONFLICT DO NOTHING;
  SELECT r.tokens, r.refilled_at INTO bucket FROM public.rate_limits AS r
  WHERE r.platform_id = platform AND r.kind = limited_kind
  FOR UPDATE;
  -- The clock is read behind the lock, so that refills follow each other.
  moment := clock_timestamp();
  available := least(
    calls,
    bucket.tokens + greatest(0, extract(epoch FROM moment - bucket.refilled_at))::double precision * calls / seconds
  );
  granted := least(wanted, floor(available));
  remaining := available - granted;
  UPDATE public.rate_limits AS r SET tokens = remaining, refilled_at = moment
  WHERE r.platform_id = platform AND r.kind = limited_kind;
  RETURN NEXT;
END
$$;
REVOKE ALL ON FUNCTION lease_rate_tokens(text, text, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lease_rate_tokens(text, text, integer, integer, integer) TO cardbridge_service;
