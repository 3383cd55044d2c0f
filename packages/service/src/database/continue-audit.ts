import type { ClientBase } from "pg";

/** More transactions than a lost server ran after its last dump, so that no position of that time is reached again. */
const gap = 2n ** 40n;

const readAsOwner = "set local cardbridge.task = 'checkpoint_audit'";

/** The highest transaction id of the audit and of the history, if the server's next id is not above it. */
const question = `
  select max(reached.txid)::text as reached
  from (
    select max(txid) from kyc_history
    union all
    select greatest(entry.txid, checkpoint.last_txid)
    from platforms
    left join lateral (
      select txid from audit_entries where platform_id = platforms.id order by txid desc limit 1
    ) as entry on true
    left join lateral (
      select last_txid from audit_checkpoints where platform_id = platforms.id order by number desc limit 1
    ) as checkpoint on true
  ) as reached (txid)
  having max(reached.txid) >= audit_txid(pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * Makes the transaction ids of new entries follow those of a dump that was restored into another server, whose own ids
 * are lower. Without it, new entries get no checkpoints, and a verification reports them as added later.
 * @returns true if it was necessary.
 */
export async function continueAudit(owner: ClientBase): Promise<boolean> {
  await owner.query(readAsOwner);
  const { rows } = await owner.query<{ reached: string }>(question);
  for (const { reached } of rows) {
    await owner.query(
      `create or replace function audit_txid(transaction xid8) returns bigint language sql immutable strict
       as 'select transaction::text::bigint + ${BigInt(reached) + gap}'`,
    );
  }
  return rows.length > 0;
}
