import type { AdminConnection } from "../cluster/admin-connection.ts";

const state = "resolution, status, sub_status, card_account_id, revision, explanation";

/** Installs a trigger that logs every state of a record, independently of the history that the service writes. */
export async function logStates(admin: AdminConnection): Promise<void> {
  const ofNew = state.replace(/\w+/g, "new.$&");
  const ofOld = state.replace(/\w+/g, "old.$&");
  await admin.query(`
    create table logged_states (
      id bigint generated always as identity, record_id text, ${state.replace(/\w+/g, "$& text")}
    );
    create function log_state() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' or (${ofNew}) is distinct from (${ofOld}) then
        insert into public.logged_states (record_id, ${state}) values (new.id, ${ofNew});
      end if;
      return null;
    end $$;
    create trigger log_state after insert or update on kyc_records for each row execute function log_state();
  `);
}
