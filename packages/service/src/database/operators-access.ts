import type { ClientBase } from "pg";
import { operatorsRole } from "./schema/policies.ts";

/**
 * Lets the service take the operators' role in a transaction, without inheriting it: its other statements keep their
 * policies and plans. PostgreSQL 15 reads NOINHERIT from the member; later versions copy it into the grant.
 * An internal error means that another database of the server changed the same role at the same time.
 */
export async function grantOperators(owner: ClientBase, serviceRole: string): Promise<void> {
  await owner.query(`
    do $$ begin
      if not exists (
        select from pg_auth_members
        where roleid = to_regrole('${operatorsRole}') and member = to_regrole('${serviceRole}')
      ) then
        if exists (select from pg_roles where rolname = '${serviceRole}' and rolinherit) then
          alter role ${serviceRole} noinherit;
        end if;
        grant ${operatorsRole} to ${serviceRole};
      end if;
    exception when unique_violation or internal_error then null;
    end $$`);
}
