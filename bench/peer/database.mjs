import { createCipheriv, createHash, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { Problem } from "./problem.mjs";

const { BENCH_DATABASE_URL: connectionString, BENCH_KEYS: keys, BENCH_MEMBERS: memberCount } = process.env;
const cacheMs = Number(process.env.LOOKUP_CACHE_SECONDS ?? 1) * 1_000;
const maxCached = 10_000;
const schema = `peer_${process.pid}`;
const pool = new pg.Pool({ connectionString, max: 10, options: `-c search_path=${schema}` });
const dataKey = randomBytes(32);

const hashOf = (text) => createHash("sha256").update(text).digest();

function encrypt(text) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", dataKey, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Creates the tables, with a platform for each key, and the world's members in each of them. */
export async function createTables() {
  await pool.query(`create schema ${schema}`);
  await pool.query(readFileSync(new URL("tables.sql", import.meta.url), "utf8"));
  for (const [index, key] of keys.split(",").entries()) {
    const platformId = `bench-${index}`;
    await pool.query("insert into platforms values ($1, 'Bench')", [platformId]);
    await pool.query("insert into api_keys values ($1, $2, '{cards:read,kyc:write}')", [
      hashOf(key),
      platformId,
    ]);
    await pool.query(
      `insert into users (platform_id, member_id, email, external_user_id)
       select $1, 'member-' || n, 'member-' || n || '@example.com', 'usr_' || $1 || '_' || n
       from generate_series(1, $2) as n`,
      [platformId, memberCount],
    );
  }
}

const userColumns = `id, external_user_id as "externalUserId", member_id as "memberId", email`;
/** Prepared once per connection, by name. */
const statements = {
  caller: `select platform_id as "platformId", scopes from api_keys where hash = $1 and revoked_at is null`,
  userByMemberId: "select external_user_id from users where platform_id = $1 and member_id = $2",
  userByEmail: "select external_user_id from users where platform_id = $1 and email = $2",
  insertUser: `insert into users (platform_id, member_id, email, external_user_id) values ($1, $2, $3, $4)
    on conflict do nothing returning ${userColumns}`,
  lockUser: `select ${userColumns} from users where platform_id = $1 and (member_id = $2 or email = $3)
    order by member_id = $2 desc limit 1 for update`,
  latestRecord: `select id as "kycRecordId", fingerprint, resolution, status, sub_status as "subStatus",
    card_account_id as "cardAccountId"
    from kyc_records where user_id = $1 order by created_at desc limit 1`,
  insertRecord: "insert into kyc_records (id, user_id, fingerprint, encrypted) values ($1, $2, $3, $4)",
  resolveRecord: `update kyc_records set resolution = $2, status = $3, sub_status = $4, card_account_id = $5
    where id = $1 and resolution = 'unresolved'`,
  insertHistory: "insert into kyc_history (record_id, status, sub_status, source) values ($1, $2, $3, $4)",
  insertAudit: "insert into audit (platform_id, actor, act, subject, request_id) values ($1, $2, $3, $4, $5)",
};

const query = (client, name, ...values) => client.query({ name, text: statements[name], values });

/** Runs work in a transaction on one connection. */
async function transaction(work) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

/** Keeps what a look-up finds for LOOKUP_CACHE_SECONDS, as cardbridge does. */
function cached(lookUp) {
  if (cacheMs === 0) return lookUp;
  const kept = new Map();
  return (...names) => {
    const name = names.join("\n");
    const known = kept.get(name);
    if (known && performance.now() < known.until) return known.found;
    const found = lookUp(...names);
    if (kept.size >= maxCached) kept.clear();
    kept.set(name, { found, until: performance.now() + cacheMs });
    found.then(
      (one) => one ?? kept.delete(name),
      () => kept.delete(name),
    );
    return found;
  };
}

/** The caller of a key. */
export const callerOf = cached(async (key) => {
  const { rows } = await query(pool, "caller", hashOf(key));
  return rows[0];
});

const userBy = cached(async (statement, platformId, value) => {
  const { rows } = await query(pool, statement, platformId, value);
  return rows[0]?.external_user_id;
});

/** The id of a platform's user at the provider. */
export const externalUserIdOf = (platformId, { memberId, email }) =>
  memberId === undefined
    ? userBy("userByEmail", platformId, email.toLowerCase())
    : userBy("userByMemberId", platformId, memberId);

/** Finds or creates the user, and creates a new record or replays an equal one. Committed on return. */
export function createOrReplay({ platformId, requestId }, submission) {
  const text = JSON.stringify(submission);
  const [fingerprint, encrypted] = [hashOf(text), encrypt(text)];
  return transaction(async (client) => {
    const { id, externalUserId } = await findOrCreateUser(client, platformId, submission);
    const { rows } = await query(client, "latestRecord", id);
    if (rows.length > 0) {
      const { fingerprint: stored, ...record } = rows[0];
      if (stored.equals(fingerprint)) return { record: { ...record, externalUserId }, replayed: true };
      if (record.resolution !== "refused" && record.status !== "REJECTED")
        throw new Problem(409, "KYC_ALREADY_SUBMITTED", { kycRecordId: record.kycRecordId });
    }
    const kycRecordId = `kyc_${randomUUID()}`;
    await query(client, "insertRecord", kycRecordId, id, fingerprint, encrypted);
    await query(client, "insertHistory", kycRecordId, null, null, "submission");
    await query(client, "insertAudit", platformId, platformId, "kyc.submit", kycRecordId, requestId);
    const state = { resolution: "unresolved", status: null, subStatus: null, cardAccountId: null };
    return { record: { kycRecordId, externalUserId, ...state }, replayed: false };
  });
}

async function findOrCreateUser(client, platformId, { memberId, email: given }) {
  const email = given.toLowerCase();
  const inserted = await query(client, "insertUser", platformId, memberId, email, `usr_${randomUUID()}`);
  const { rows } =
    inserted.rows.length > 0 ? inserted : await query(client, "lockUser", platformId, memberId, email);
  const [user] = rows;
  if (user?.memberId !== memberId || user.email !== email) throw new Problem(409, "USER_IDENTITY_CONFLICT");
  return user;
}

/** Stores the verdict if the record is still unresolved. Committed on return. */
export function resolve(record, verdict) {
  const { resolution, status, subStatus, cardAccountId } = verdict;
  const { kycRecordId } = record;
  return transaction(async (client) => {
    const values = [kycRecordId, resolution, status, subStatus, cardAccountId];
    const { rowCount } = await query(client, "resolveRecord", ...values);
    if (rowCount === 0) return record;
    await query(client, "insertHistory", kycRecordId, status, subStatus, "provider");
    return { ...record, ...verdict };
  });
}
