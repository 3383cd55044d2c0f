CREATE TABLE "file_usage" (
	"platform_id" text PRIMARY KEY NOT NULL,
	"files" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "file_usage_not_negative" CHECK (files >= 0 and bytes >= 0)
);
--> statement-breakpoint
ALTER TABLE "file_usage" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "size" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "file_usage" ADD CONSTRAINT "file_usage_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "platform_isolation" ON "file_usage" AS PERMISSIVE FOR ALL TO public USING ("file_usage"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_expire_files" ON "file_usage" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'expire_files');--> statement-breakpoint
CREATE POLICY "owner_list_platforms" ON "file_usage" AS PERMISSIVE FOR SELECT TO current_user USING (current_setting('cardbridge.task', true) = 'list_platforms');--> statement-breakpoint
ALTER TABLE file_usage FORCE ROW LEVEL SECURITY;
GRANT SELECT ON file_usage TO cardbridge_service;

-- Adds inserted files to their platform's usage, and subtracts deleted ones. The usage stays locked until the end of the
-- transaction, so that a platform's concurrent uploads are counted one after the other. The platforms of a sweep are
-- locked in one order, so that two sweeps do not wait for each other.
CREATE FUNCTION count_files()
RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.file_usage AS u (platform_id, files, bytes)
    SELECT c.platform_id, count(*), sum(c.size) FROM changed AS c GROUP BY c.platform_id ORDER BY c.platform_id
    ON CONFLICT (platform_id) DO UPDATE
    SET files = u.files + excluded.files, bytes = u.bytes + excluded.bytes;
  ELSE
    PERFORM FROM public.file_usage AS u
    WHERE u.platform_id IN (SELECT c.platform_id FROM changed AS c)
    ORDER BY u.platform_id
    FOR UPDATE;
    UPDATE public.file_usage AS u
    SET files = u.files - d.files, bytes = u.bytes - d.bytes
    FROM (
      SELECT c.platform_id, count(*) AS files, sum(c.size) AS bytes FROM changed AS c GROUP BY c.platform_id
    ) AS d
    WHERE u.platform_id = d.platform_id;
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION count_files() FROM PUBLIC;

CREATE TRIGGER files_inserted AFTER INSERT ON files
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_files();
CREATE TRIGGER files_deleted AFTER DELETE ON files
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_files();

-- Counts the existing files. Their sizes are not stored.
SELECT set_config('cardbridge.task', 'expire_files', true);
INSERT INTO file_usage (platform_id, files, bytes) SELECT platform_id, count(*), 0 FROM files GROUP BY platform_id;
SELECT set_config('cardbridge.task', '', true);

-- Lists the platforms and what they store, oldest first, without the platform of the internal apps.
DROP FUNCTION list_platforms(integer);
CREATE FUNCTION list_platforms(max_count integer)
RETURNS TABLE (id text, name text, created_at timestamptz, stored_files bigint, stored_bytes bigint)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'list_platforms', true);
  RETURN QUERY
  SELECT p.id, p.name, p.created_at, coalesce(u.files, 0), coalesce(u.bytes, 0)
  FROM public.platforms AS p LEFT JOIN public.file_usage AS u ON u.platform_id = p.id
  WHERE p.id <> 'internal'
  ORDER BY p.created_at, p.id
  LIMIT least(max_count, 1000);
  PERFORM set_config('cardbridge.task', '', true);
END
$$;
REVOKE ALL ON FUNCTION list_platforms(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_platforms(integer) TO cardbridge_service;
