-- A user may be without an e-mail: another user took it (gap G17). Existing users count as imported, and so do those of
-- processes of 0.1.0: nobody takes their e-mails.
ALTER TABLE "users" DROP CONSTRAINT "users_whole_until_erased";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "imported" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_whole_until_erased" CHECK (case when erased_at is null then num_nonnulls(member_id_index, sealed, data_key, key_version) = 4 else num_nonnulls(member_id_index, email_index, sealed, data_key, key_version) = 0 end);--> statement-breakpoint

-- As before, and NULL as new_email_index leaves the user without an e-mail. While it was STRICT, it did nothing then.
CREATE OR REPLACE FUNCTION relink_user(
  user_id text, new_sealed bytea, new_member_id_index bytea, new_email_index bytea
)
RETURNS void
LANGUAGE sql VOLATILE CALLED ON NULL INPUT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.users AS u
  SET sealed = new_sealed, member_id_index = new_member_id_index, email_index = new_email_index
  WHERE u.id = user_id AND u.erased_at IS NULL
    AND u.platform_id = current_setting('cardbridge.platform', true)
$$;
