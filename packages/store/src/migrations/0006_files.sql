-- Returns the platform of a file: a signed URL names no platform.
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

-- Destroys the keys of expired files and returns the names of their blobs. When the caller crashes before it deletes
-- the blobs, the files expire again after ten minutes.
CREATE FUNCTION expire_files(max_count integer)
RETURNS TABLE (id text, blob_name text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'expire_files', true);
  RETURN QUERY
  UPDATE public.files AS f
  SET data_key = NULL, key_version = NULL, expires_at = clock_timestamp() + interval '10 minutes'
  WHERE f.id = ANY (ARRAY(
    SELECT g.id FROM public.files AS g
    WHERE g.expires_at < clock_timestamp()
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

REVOKE ALL ON FUNCTION platform_of_file(text), expire_files(integer), delete_expired_files(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION platform_of_file(text), expire_files(integer), delete_expired_files(text[])
  TO cardbridge_service;
