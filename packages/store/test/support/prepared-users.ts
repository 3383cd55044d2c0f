import { randomUUID } from "node:crypto";
import type { UserNames } from "@cardbridge/domain";
import { withConnection } from "../../src/connect.ts";
import { createDataKey } from "../../src/encryption/data-key.ts";
import { userColumns } from "../../src/encryption/user-columns.ts";
import { personalDataKeysOf } from "./world.ts";

/** A user to insert, with one record unless `resolution` is undefined. */
export interface PreparedUser extends UserNames {
  resolution?: "unresolved" | "answered" | "refused" | undefined;
  status?: string | null | undefined;
  needsAttention?: boolean;
  everApproved?: boolean;
  imported?: boolean;
  erasureRequested?: boolean;
  erased?: boolean;
}

const keys = personalDataKeysOf(1);
const hex = (value: unknown) => (Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value);

/** Inserts users with their records as a superuser, in three statements. Returns the users' ids in order. */
export async function insertUsers(
  adminUrl: string,
  platformId: string,
  prepared: readonly PreparedUser[],
): Promise<string[]> {
  const now = new Date().toISOString();
  const users = prepared.map(({ memberId, email, imported, erasureRequested, erased }) => {
    const id = `usr_${randomUUID()}`;
    const columns = userColumns(keys, { platformId, userId: id }, { memberId, email }, createDataKey());
    const { memberIdIndex, emailIndex, encrypted, dataKey, keyVersion } = columns;
    const personal = {
      member_id_index: memberIdIndex,
      email_index: emailIndex,
      encrypted,
      data_key: dataKey,
    };
    const stored = erased ? {} : { ...personal, key_version: keyVersion };
    const erasure = {
      erase_requested_at: erasureRequested || erased ? now : null,
      erased_at: erased ? now : null,
    };
    return {
      id,
      platform_id: platformId,
      imported: imported === true,
      created_at: now,
      ...stored,
      ...erasure,
    };
  });
  const rows = prepared.flatMap(({ resolution, status, needsAttention, everApproved, erased }, index) => {
    if (resolution === undefined) return [];
    const id = `kyc_${randomUUID()}`;
    const encrypted = erased ? null : "\\x00";
    const due = { due_at: needsAttention ? null : now, needs_attention_since: needsAttention ? now : null };
    const waiting = resolution === "unresolved" ? due : { due_at: null, needs_attention_since: null };
    const state = {
      resolution,
      status: status ?? null,
      attempt: 1,
      step: "ask",
      not_found: 0,
      created_at: now,
    };
    const record = {
      id,
      platform_id: platformId,
      user_id: users[index]?.id,
      encrypted,
      fingerprint: encrypted,
    };
    return [
      { record: { ...record, ...state, ...waiting }, everApproved: everApproved || status === "APPROVED" },
    ];
  });
  const approvals = rows.flatMap(({ record, everApproved }) => (everApproved ? [record.id] : []));
  await withConnection(adminUrl, async (client) => {
    const insert = (table: string, values: object[]) =>
      client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(
          values.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, hex(v)]))),
        ),
      ]);
    await insert("users", users);
    await insert(
      "kyc_records",
      rows.map(({ record }) => record),
    );
    await client.query(
      `insert into kyc_history (platform_id, record_id, source, resolution, status)
       select $1, unnest($2::text[]), 'provider', 'answered', 'APPROVED'`,
      [platformId, approvals],
    );
  });
  return users.map(({ id }) => id);
}
