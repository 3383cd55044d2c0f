import type { Client } from "pg";

/** What the database has of a platform, as the model says it. @param ids the ids of the records by their number */
export async function storedState(
  owner: Client,
  platformId: string,
  ids: readonly string[],
): Promise<string> {
  const { rows } = await owner.query(
    `select r.*, h.resolution as h_resolution, h.status as h_status, h.revision as h_revision,
       d.status as d_status, d.not_found as d_not_found, d.attempted_at, d.sent_at
     from kyc_records as r
     left join lateral (
       select * from kyc_history as h where h.record_id = r.id and h.event is null order by h.id desc limit 1
     ) as h on true
     left join document_requests as d on d.record_id = r.id
     where r.platform_id = $1 order by r.created_at, r.id`,
    [platformId],
  );
  const statuses: Record<string, string> = {
    PENDING_APPROVAL: "review",
    APPROVED: "approved",
    REJECTED: "rejected",
  };
  const statusOf = (status: string | null) => (status === null ? null : (statuses[status] ?? status));
  const lines = rows.map((row) => {
    const state = `${row.resolution}/${statusOf(row.status)}/${row.revision}`;
    const last = `${row.h_resolution}/${statusOf(row.h_status)}/${row.h_revision}`;
    return [
      `${ids.indexOf(row.id)} ${state} ${row.step} ${Math.min(row.not_found, 2)}`,
      last !== state && `history ${last}`,
      row.lease_until && "leased",
      row.due_at && "due",
      row.needs_attention_since && "needs attention",
      row.renews && `renews ${ids.indexOf(row.renews)}`,
      row.approved_at && "was approved",
      ["expiring", "expired"].includes(row.document_expiry) && "expires",
      row.d_status && `request ${row.d_status} ${row.d_not_found}`,
      row.attempted_at && "attempted",
      row.sent_at && "sent",
    ]
      .filter(Boolean)
      .join(", ");
  });
  return [...lines, ...(await keysOf(owner, platformId, ids))].join("\n");
}

async function keysOf(owner: Client, platformId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await owner.query("select record_id from idempotency_keys where platform_id = $1", [
    platformId,
  ]);
  return rows.map(({ record_id }) => `key x ${ids.indexOf(record_id)}`);
}
