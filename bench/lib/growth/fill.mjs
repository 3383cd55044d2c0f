import pg from "pg";

const states = 3;
/** The newest submissions are not decided yet. Their number depends on the rate of submissions, not on their total. */
const undecided = 100;

/*
 * SQL of the n-th submission. Its columns have the lengths that the service writes. Ids of users and hashes are random,
 * and all other ids are ordered by time, as those of the service.
 */
const hash = (kind) => `sha256(convert_to('${kind}' || n, 'UTF8'))`;
const noise = (bytes) =>
  `substring(decode(repeat(md5('noise' || n), ${Math.ceil(bytes / 16)}), 'hex') for ${bytes})`;
const timedId = (prefix, at, key = "n") =>
  `'${prefix}_' || lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || left(md5('${prefix}' || ${key}), 14)`;
const userId = "'usr_' || left(md5('usr' || n), 26)";

/**
 * Returns a function that adds the submissions of some of `users` users to the world's platform: a user with a record, a
 * history row for each of three states, an audit entry, an idempotency key, and for each state an event that was
 * delivered to `endpointId`. They are spread over two years; keys and events over the last month, because the worker
 * prunes older ones. `slim` shortens the ciphertext to 33 bytes and limits keys and events to the last million users.
 */
export function createFill(world, { users, slim, endpointId }) {
  // A constant: an id contains its time, so all statements have to calculate the same.
  const present = `timestamptz '${new Date().toISOString()}'`;
  const spread = (interval, first) =>
    `(${present} - interval '${interval}' * (1 - (n - ${first})::float8 / ${users - first}))`;
  const firstRecent = slim ? Math.max(0, users - 1_000_000) : 0;
  const [at, recentAt] = [spread("2 years", 0), spread("29 days", firstRecent)];
  const [names, submission] = slim ? [33, 33] : [99, 580];
  const isUndecided = `n > ${users - undecided}`;
  const resolution = `case when ${isUndecided} and n % 10 = 0 then 'unresolved' when n % 100 < 95 then 'answered' else 'refused' end`;
  const status = `case when ${isUndecided} then case when n % 10 between 1 and 5 then 'PENDING' when n % 10 > 5 then 'PENDING_APPROVAL' end
    when n % 100 < 85 then 'APPROVED' when n % 100 < 95 then 'REJECTED' end`;
  const account = "case when n % 100 < 85 then 'acct_1' end";
  const recordId = timedId("kyc", at);
  const [eventId, deliveryId] = ["msg", "whd"].map((prefix) =>
    timedId(prefix, recentAt, "(n::text || '-' || k)"),
  );

  /** Two sequences of statements that can run at the same time. */
  const statements = (from, to) => {
    const all = `from generate_series(${from}, ${to}) as n`;
    const recent = `from generate_series(${Math.max(from, firstRecent + 1)}, ${to}) as n`;
    const eachState = `cross join generate_series(1, ${states}) as k`;
    return [
      [
        `insert into users (id, platform_id, member_id_index, email_index, encrypted, data_key, key_version, imported, created_at)
         select ${userId}, $1, ${hash("member")}, ${hash("email")}, ${noise(names)}, ${noise(61)}, 1, false, ${at} ${all}`,
        `insert into kyc_records (id, platform_id, user_id, encrypted, fingerprint, resolution, status, sub_status,
           card_account_id, revision, attempt, step, due_at, needs_attention_since, created_at, answered_at)
         select ${recordId}, $1, ${userId}, ${noise(submission)}, ${hash("body")}, ${resolution}, ${status},
           lower(${status}), ${account}, 2, 1, 'ask', case when ${isUndecided} and n % 10 > 0 then now() + interval '1 day' end,
           case when ${isUndecided} and n % 10 = 0 then now() end, ${at}, ${at} ${all}`,
        `insert into kyc_history (id, platform_id, record_id, source, resolution, status, sub_status, card_account_id,
           revision, observed_at)
         overriding system value
         select ${states} * (n - 1) + k, $1, ${recordId}, case k when 1 then 'submission' else 'provider' end,
           case k when 1 then 'unresolved' when 2 then 'answered' else ${resolution} end,
           case k when 2 then 'PENDING' when 3 then ${status} end,
           case k when 2 then 'pending' when 3 then lower(${status}) end,
           case k when 3 then ${account} end, nullif(k - 1, 0), ${at} ${all} ${eachState}`,
      ],
      [
        `insert into audit_entries (platform_id, actor, operation, subject, outcome, request_id, address, at)
         select $1, 'key_' || left(md5('key'), 26), 'kyc.submit', ${recordId}, 'done', 'req_' || left(md5('req' || n), 26),
           '127.0.0.1', ${at} ${all}`,
        `insert into idempotency_keys (platform_id, operation, key_hash, fingerprint, record_id, created_at)
         select $1, 'kyc.submit', ${hash("key")}, ${hash("body")}, ${recordId}, ${recentAt} ${recent}`,
        `insert into webhook_events (id, platform_id, type, kyc_history_id, sequence, created_at)
         select ${eventId}, $1, 'kyc.updated', ${states} * (n - 1) + k, k, ${recentAt} ${recent} ${eachState}`,
        `insert into webhook_deliveries (id, platform_id, endpoint_id, event_id, record_id, sequence, status, lease,
           attempt, attempts, created_at, delivered_at)
         select ${deliveryId}, $1, '${endpointId}', ${eventId}, ${recordId}, k, 'delivered', 1, 1, 1, ${recentAt}, ${recentAt}
         ${recent} ${eachState}`,
        `insert into webhook_attempts (platform_id, delivery_id, lease, number, started_at, milliseconds, status)
         select $1, ${deliveryId}, 1, 1, ${recentAt}, 20, 204 ${recent} ${eachState}`,
      ],
    ];
  };

  return (from, to) =>
    Promise.all(statements(from, to).map((texts) => asReplica(world.database, texts, world.platformId)));
}

/** Runs statements without triggers and foreign keys: their checks would take longer than everything else. */
async function asReplica({ adminUrl }, texts, platformId) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    for (const text of texts) await client.query(text, [platformId]);
  } finally {
    await client.end();
  }
}
