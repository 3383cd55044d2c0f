import { verifyAuditBatch } from "@cardbridge/service";
import { encryptionKeys } from "../../../../src/boot/options.ts";
import { readEnv } from "../../../../src/config/env.ts";
import type { Cluster } from "../cluster/cluster.ts";

/** I6: every state of a record, or of its requests, has its history row, in the same order, and every row its state. */
export async function wrongHistory(cluster: Cluster): Promise<string[]> {
  return [...(await wrongStates(cluster)), ...(await wrongRequests(cluster))];
}

async function wrongStates({ query }: Cluster): Promise<string[]> {
  const statesIn = (table: string) =>
    query<{ record_id: string; states: string }>(
      `select record_id, json_agg(json_build_array(resolution, status, sub_status, card_account_id, revision::text,
           explanation::text)
         order by id)::text as states from ${table} group by record_id order by record_id`,
    );
  const ofStates = "(select * from kyc_history where event is null) as history";
  const [logged, history] = [await statesIn("logged_states"), await statesIn(ofStates)];
  const inHistory = new Map(history.map(({ record_id, states }) => [record_id, states]));
  return [
    ...logged
      .filter(({ record_id, states }) => inHistory.get(record_id) !== states)
      .map(({ record_id }) => `I6: the history of ${record_id} differs from its states`),
    ...(history.length === logged.length ? [] : ["I6: history rows of records that never existed"]),
  ];
}

async function wrongRequests({ query }: Cluster): Promise<string[]> {
  const rows = await query<{ record_id: string }>(`
    with logged as (
      select record_id, json_agg(json_build_array(id, document_type, due_at, status) order by log_id)::text as changes
      from logged_requests group by record_id
    ), history as (
      select record_id, json_agg(json_build_array(event ->> 'documentRequestId', event ->> 'documentType',
        (event ->> 'dueAt')::timestamptz, event ->> 'status') order by id)::text as changes
      from kyc_history where event ->> 'type' = 'kyc.request_updated' group by record_id
    )
    select coalesce(l.record_id, h.record_id) as record_id from logged l full join history h using (record_id)
    where l.changes is distinct from h.changes`);
  return rows.map(
    ({ record_id }) => `I6: the history of the requests of ${record_id} differs from their states`,
  );
}

/** I8: every record has one audit entry of its submission, and the checkpoints are intact. */
export async function wrongAudit(cluster: Cluster): Promise<string[]> {
  const miscounted = await cluster.query<{ id: string; entries: number }>(
    `select r.id, count(e.id)::int as entries from kyc_records r left join audit_entries e
       on e.subject = r.id and e.operation = 'kyc.submit' and e.outcome = 'done'
     group by r.id having count(e.id) <> 1`,
  );
  const problems = await checkpointProblems(cluster);
  return [
    ...miscounted.map(({ id, entries }) => `I8: ${id} has ${entries} audit entries`),
    ...problems.map((problem) => `I8: ${problem}`),
  ];
}

/** The problems that verification finds in the audits of all platforms. */
async function checkpointProblems({ openDatabase, platformIds }: Cluster): Promise<string[]> {
  const database = openDatabase();
  const keySet = encryptionKeys(readEnv({}));

  async function verify(platformId: string, after: number): Promise<string[]> {
    const { problems, next } = await verifyAuditBatch({ database, keySet }, platformId, { after });
    return next === null ? problems : [...problems, ...(await verify(platformId, next))];
  }
  try {
    return (await Promise.all(platformIds.map((id) => verify(id, 0)))).flat();
  } finally {
    await database.close();
  }
}
