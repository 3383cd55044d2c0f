import type { AdminConnection } from "../cluster/admin-connection.ts";

/** A user got or lost an e-mail. */
export interface LoggedEmail {
  user_id: string;
  /** The blind index; null if the user lost the e-mail. */
  email: string | null;
  /** Whether the user existed before. */
  changed: boolean;
}

/** Installs a trigger that logs each user that gets or loses an e-mail, independently of the audit. */
export async function logEmails(admin: AdminConnection): Promise<void> {
  await admin.query(`
    create table logged_emails (
      id bigint generated always as identity, user_id text, email text, changed boolean
    );
    create function log_email() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' or new.email_index is distinct from old.email_index then
        insert into public.logged_emails (user_id, email, changed)
        values (new.id, encode(new.email_index, 'hex'), tg_op = 'UPDATE');
      end if;
      return null;
    end $$;
    create trigger log_email after insert or update on users for each row execute function log_email();
  `);
}

/** Every change of a cluster's e-mails, in their order. */
export const readLoggedEmails = ({ query }: Pick<AdminConnection, "query">) =>
  query<LoggedEmail>("select user_id, email, changed from logged_emails order by id");
