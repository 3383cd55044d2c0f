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

const request = "id, document_type, due_at, status";

/** Installs a trigger that logs what callers see of a document request, independently of the history. */
export async function logRequests(admin: AdminConnection): Promise<void> {
  const ofNew = request.replace(/\w+/g, "new.$&");
  const ofOld = request.replace(/\w+/g, "old.$&");
  await admin.query(`
    create table logged_requests (
      log_id bigint generated always as identity, record_id text, id text, document_type text, due_at timestamptz,
      status text
    );
    create function log_request() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' or (${ofNew}) is distinct from (${ofOld}) then
        insert into public.logged_requests (record_id, ${request}) values (new.record_id, ${ofNew});
      end if;
      return null;
    end $$;
    do $$ begin
      -- A database of the last release has no such table yet.
      if to_regclass('document_requests') is not null then
        create trigger log_request after insert or update on document_requests
          for each row execute function log_request();
      end if;
    end $$;
  `);
}
