import { figure } from "../table.mjs";
import { createWorld } from "../world.mjs";
import { createFill } from "./fill.mjs";

const parts = 10;
/** The lists ask for members with real names: one of 20 users, up to this number in each part. */
const maxMembers = 2_000;

/**
 * Creates a world whose platform has `users` users with a submission each, and one webhook endpoint. The members that the
 * lists ask for are spread over the whole table, because they are imported between the parts of the others.
 */
export async function createFilledWorld({ users, slim, say }) {
  await using made = new AsyncDisposableStack();
  const perPart = Math.min(maxMembers, users / parts / 20);
  const world = made.use(await createWorld({ memberCount: perPart }));
  const endpointId = await createEndpoint(world);
  const fill = createFill(world, { users, slim, endpointId });
  const { query } = world.database;
  await addPastMonths(query);
  for (let part = 0; part < parts; part += 1) {
    if (part > 0) await world.importMembers(part * perPart + 1, perPart);
    await fill(Math.ceil((users / parts) * part) + 1, Math.ceil((users / parts) * (part + 1)));
    say(`${part + 1} of ${parts} parts of ${figure(users)} users filled`);
  }
  await query("select setval('kyc_history_id_seq', (select max(id) from kyc_history))");
  await coverAudit(query, world.platformId);
  await query("vacuum (analyze)");
  await query("checkpoint");
  const running = made.move();
  return {
    ...world,
    memberCount: parts * perPart,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** No worker runs, so nothing is delivered to the endpoint. */
async function createEndpoint(world) {
  const named = ["--platform", world.platformId, "--name", "webhooks", "--scopes", "webhooks:write"];
  const key = await world.cli(["keys", "create", ...named]);
  // In development, endpoints may be on this machine.
  const api = await world.service({ RUN: "api", NODE_ENV: "development" });
  const response = await fetch(`${api.url}/openapi/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: "http://127.0.0.1:9/", eventTypes: ["kyc.updated"] }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await api.stop();
  return (await response.json()).endpointId;
}

/** Each month of the audit has a partition. Those of the past exist in a database that was in use then. */
async function addPastMonths(query) {
  await query(`
    do $$
    declare
      month timestamptz;
      name text;
    begin
      for month in
        select date_trunc('month', now()) - number * interval '1 month' from generate_series(1, 25) as number
      loop
        name := to_char(month, '"audit_entries_"YYYY_MM');
        execute format('create table %I (like audit_entries including defaults)', name);
        execute format('alter table %I owner to cardbridge_owner', name);
        execute format('alter table audit_entries attach partition %I for values from (%L) to (%L)',
          name, month, month + interval '1 month');
      end loop;
    end
    $$`);
}

/** The entries have one checkpoint, which no key signed: otherwise a worker would cover them during the measurements. */
async function coverAudit(query, platformId) {
  await query(
    `insert into audit_checkpoints (platform_id, number, first_txid, first_id, last_txid, last_id, count, digest,
       previous_hash, hash, created_at)
     select $1, 1, txid, id, txid, id, 1, '\\x00', '\\x00', '\\x00', now() from audit_entries where platform_id = $1
     order by txid desc, id desc limit 1`,
    [platformId],
  );
}
