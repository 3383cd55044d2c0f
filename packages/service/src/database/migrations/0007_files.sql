-- Returns the platform of a file: a signed URL contains no platform.
CREATE FUNCTION platform_of_file(file_id text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  result text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_files', true);
  SELECT f.platform_id INTO result FROM public.files AS f WHERE f.id = file_id;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN result;
END
$$;

-- Adds inserted files to their platform's usage and subtracts deleted files. The usage stays locked until the
-- transaction ends, so concurrent uploads of a platform are counted one after the other. A sweep locks its platforms in
-- a fixed order, so that two sweeps cannot deadlock.
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

CREATE TRIGGER files_inserted AFTER INSERT ON files
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_files();
CREATE TRIGGER files_deleted AFTER DELETE ON files
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_files();

-- Destroys the keys of expired files and returns the names of their blobs. If the caller crashes before it deletes the
-- blobs, the files expire again after ten minutes. The function reads the clock once, as lease_due does.
CREATE FUNCTION expire_files(max_count integer)
RETURNS TABLE (id text, blob_name text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := clock_timestamp();
BEGIN
  PERFORM set_config('cardbridge.task', 'expire_files', true);
  RETURN QUERY
  UPDATE public.files AS f
  SET data_key = NULL, key_version = NULL, expires_at = present + interval '10 minutes'
  WHERE f.id = ANY (ARRAY(
    SELECT g.id FROM public.files AS g
    WHERE g.expires_at < present
    ORDER BY g.expires_at
    LIMIT max_count
    FOR UPDATE SKIP LOCKED
  ))
  RETURNING f.id, f.blob_name;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

-- Deletes the rows of expired files, after the caller has deleted their blobs.
CREATE FUNCTION delete_expired_files(ids text[])
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'expire_files', true);
  DELETE FROM public.files AS f WHERE f.id = ANY (ids) AND f.data_key IS NULL;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION
  platform_of_file(text), count_files(), expire_files(integer), delete_expired_files(text[])
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION platform_of_file(text), expire_files(integer), delete_expired_files(text[])
  TO cardbridge_service;
