-- Returns the latest `id` of a step of a user's submissions; NULL if there is none.
CREATE FUNCTION find_step_id(step_name text, user_reference text)
RETURNS text
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text;
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  SELECT s.result ->> 'id' INTO found
  FROM public.kyc_records AS r
  JOIN public.provider_steps AS s ON s.platform_id = r.platform_id AND s.record_id = r.id
  WHERE r.user_id = user_reference AND s.name = step_name AND s.result ->> 'id' IS NOT NULL
  ORDER BY r.created_at DESC, r.id DESC
  LIMIT 1;
  PERFORM set_config('cardbridge.task', '', true);
  RETURN found;
END
$$;

-- Returns the latest record with a step of this `id`, with its platform and user: the provider's answers contain only
-- the provider's own ids.
CREATE FUNCTION find_step_record(step_name text, step_id text)
RETURNS TABLE (platform_id text, record_id text, user_id text)
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM set_config('cardbridge.task', 'read_records', true);
  RETURN QUERY
  SELECT r.platform_id, r.id, r.user_id
  FROM public.provider_steps AS s
  JOIN public.kyc_records AS r ON r.platform_id = s.platform_id AND r.id = s.record_id
  WHERE s.name = step_name AND s.result ->> 'id' = step_id
  ORDER BY r.created_at DESC, r.id DESC
  LIMIT 1;
  PERFORM set_config('cardbridge.task', '', true);
END
$$;

REVOKE ALL ON FUNCTION find_step_id(text, text), find_step_record(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_step_id(text, text), find_step_record(text, text) TO cardbridge_service;
