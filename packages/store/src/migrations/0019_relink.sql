-- Gives a user of the platform that is set other names: what is sealed of them, and what they are found by. The
-- service's role changes them no other way; an erased user has none.
CREATE FUNCTION relink_user(user_id text, names bytea, member_index bytea, mail_index bytea)
RETURNS void
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.users AS u SET sealed = names, member_id_index = member_index, email_index = mail_index
  WHERE u.id = user_id AND u.erased_at IS NULL
    AND u.platform_id = current_setting('cardbridge.platform', true)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION relink_user(text, bytea, bytea, bytea) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION relink_user(text, bytea, bytea, bytea) TO cardbridge_service;
