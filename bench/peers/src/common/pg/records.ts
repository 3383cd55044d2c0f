import { randomUUID } from "node:crypto";
import type pg from "pg";
import { Problem } from "../problem.js";
import { compare, type KycRecord, stateOf } from "../record.js";
import type { Claim, Records } from "../submit.js";
import { transaction } from "./pool.js";
import * as sql from "./records-sql.js";

interface User {
  id: string;
  externalUserId: string;
  memberId: string;
  email: string;
}

type Stored = KycRecord & { fingerprint: Buffer };

/** Records in PostgreSQL. */
export function createRecords(pool: pg.Pool): Records {
  return {
    claim: (claim) =>
      transaction(pool, async (client) => {
        const user = await findOrCreateUser(client, claim);
        const { rows } = await client.query<Stored>({ ...sql.latest, values: [user.id] });
        const latest = rows[0];
        if (latest && compare(latest, claim.fingerprint) === "replay") {
          return { record: { ...latest, externalUserId: user.externalUserId }, replayed: true };
        }
        return { record: await insert(client, user, claim), replayed: false };
      }),
    settle: (record, verdict) =>
      transaction(pool, async (client) => {
        const { settlement, status, subStatus, cardAccountId } = stateOf(verdict);
        const { kycRecordId } = record;
        const values = [kycRecordId, settlement, status, subStatus, cardAccountId];
        const { rowCount } = await client.query({ ...sql.settle, values });
        if (rowCount === 0) return record;
        await client.query({ ...sql.history, values: [kycRecordId, status, subStatus, "provider"] });
        return { ...record, settlement, status, subStatus, cardAccountId };
      }),
  };
}

async function findOrCreateUser(client: pg.PoolClient, claim: Claim): Promise<User> {
  const { platformId, memberId, email } = claim;
  const values = [platformId, memberId, email];
  const externalUserId = `usr_${randomUUID()}`;
  const made = await client.query<User>({ ...sql.insertUser, values: [...values, externalUserId] });
  const { rows } = made.rows.length > 0 ? made : await client.query<User>({ ...sql.lockUser, values });
  const [user] = rows;
  if (user?.memberId !== memberId || user.email !== email) throw new Problem("USER_IDENTITY_CONFLICT");
  return user;
}

async function insert(client: pg.PoolClient, { id, externalUserId }: User, claim: Claim): Promise<KycRecord> {
  const kycRecordId = `kyc_${randomUUID()}`;
  const { platformId, requestId, fingerprint, sealed } = claim;
  await client.query({ ...sql.insertRecord, values: [kycRecordId, id, fingerprint, sealed] });
  await client.query({ ...sql.history, values: [kycRecordId, null, null, "submission"] });
  await client.query({
    ...sql.audit,
    values: [platformId, platformId, "kyc.submit", kycRecordId, requestId],
  });
  const state = stateOf({ settlement: "unsettled" });
  return { kycRecordId, externalUserId, ...state };
}
