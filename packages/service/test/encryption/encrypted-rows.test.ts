import { describe, expect, test } from "vitest";
import { unwrapDataKey } from "../../src/encryption/data-key.ts";
import { decryptData } from "../../src/encryption/personal-data.ts";
import { answered, aRequest, makeWorld, personalDataKeysOf, someone } from "../support/world.ts";

const { admin, kyc, platform, rowsOf, set, submitted } = await makeWorld();

const decryptionFailure = (reason: string) => ({
  code: "SERVICE_UNAVAILABLE",
  details: { retryAfterSeconds: 5, cause: { name: "DecryptionError", message: reason } },
});
interface Row {
  id: string;
  encrypted: Buffer;
  data_key: Buffer;
  key_version: number;
}

/** Creates a record whose next attempt sends it again and therefore decrypts its submission. */
async function toBeSent(platformId: string, changes = {}) {
  const { record } = await submitted(changes, platformId);
  await kyc.reschedule(platformId, record, { step: "send", notFound: 2, delayMs: 0 });
  return record;
}

describe("a submission", () => {
  test("encrypts the submission and the user's identifiers under the user's data key", async () => {
    const platformId = await platform();
    const { submission, ...request } = aRequest();
    const { record } = await kyc.createOrReplay(platformId, { ...request, submission });
    const [user] = (await rowsOf("users", platformId)) as unknown as Row[];
    const [encrypted] = (await rowsOf("kyc_records", platformId)) as unknown as Row[];
    if (!user || !encrypted) throw new Error("no rows");

    const owner = { platformId, userId: user.id };
    const wrapped = { dataKey: user.data_key, keyVersion: user.key_version };
    const dataKey = unwrapDataKey(wrapped, owner, personalDataKeysOf(1).ring);
    const { memberId, email } = submission;
    expect(decryptData(user.encrypted, dataKey, { platformId, table: "users", rowId: user.id })).toEqual({
      memberId,
      email,
    });
    const row = { platformId, table: "kyc_records", rowId: record.kycRecordId } as const;
    expect(decryptData(encrypted.encrypted, dataKey, row)).toEqual(submission);
  });

  test("of an existing user encrypts under the existing data key", async () => {
    const { platformId, record } = await submitted();
    const before = await rowsOf("users", platformId);
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    const second = await toBeSent(platformId, { occupation: "Poet" });
    expect(await rowsOf("users", platformId)).toEqual(before);
    expect(await kyc.loadAttempt(platformId, second)).toMatchObject({ submission: { occupation: "Poet" } });
  });
});

describe("a value that was moved or changed in the database cannot be decrypted:", () => {
  const swap = (table: string, column: string, [one, other]: [string, string]) =>
    admin(`update ${table} as a set ${column} = b.${column} from ${table} as b
      where (a.id = '${one}' and b.id = '${other}') or (a.id = '${other}' and b.id = '${one}')`);

  test("a submission in another record of the same user", async () => {
    const { platformId, record, kycRecordId } = await submitted();
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    const second = await toBeSent(platformId, { occupation: "Poet" });
    await swap("kyc_records", "encrypted", [kycRecordId, second.kycRecordId]);
    const notAuthentic = decryptionFailure("not-authentic");
    await expect(kyc.loadAttempt(platformId, second)).rejects.toMatchObject(notAuthentic);
  });

  test.each([
    ["another user", false],
    ["another platform's user", true],
  ])("a submission or a data key of %s", async (_name, elsewhere) => {
    const platformId = await platform();
    const otherId = elsewhere ? await platform() : platformId;
    const mine = await toBeSent(platformId);
    const theirs = await toBeSent(otherId, someone("bob"));
    const load = () => kyc.loadAttempt(platformId, mine);
    const records: [string, string] = [mine.kycRecordId, theirs.kycRecordId];
    const users: [string, string] = [mine.externalUserId, theirs.externalUserId];

    expect(await load()).toMatchObject({ submission: { memberId: "member-1" } });
    await swap("kyc_records", "encrypted", records);
    await expect(load()).rejects.toMatchObject(decryptionFailure("not-authentic"));
    await swap("users", "data_key", users);
    await expect(load()).rejects.toMatchObject(decryptionFailure("not-authentic"));
    await swap("kyc_records", "encrypted", records);
    await expect(load()).rejects.toMatchObject(decryptionFailure("not-authentic"));
    await swap("users", "data_key", users);
    expect(await load()).toMatchObject({ submission: { memberId: "member-1" } });
  });

  test("a submission or a data key with a changed byte, and a data key labelled with another version", async () => {
    const platformId = await platform();
    const record = await toBeSent(platformId);
    const load = () => kyc.loadAttempt(platformId, record);
    const flip = (table: string, column: string, id: string) =>
      admin(
        `update ${table} set ${column} = set_byte(${column}, 40, get_byte(${column}, 40) # 1) where id = '${id}'`,
      );
    for (const [table, column, id] of [
      ["kyc_records", "encrypted", record.kycRecordId],
      ["users", "data_key", record.externalUserId],
    ] as const) {
      await flip(table, column, id);
      await expect(load()).rejects.toMatchObject(decryptionFailure("not-authentic"));
      await flip(table, column, id);
    }
    await admin(`update users set key_version = 2 where id = '${record.externalUserId}'`);
    await expect(load()).rejects.toMatchObject(decryptionFailure("key-version-unknown"));
  });

  test("the record of such a submission stays due and is leased again", async () => {
    await admin("update kyc_records set due_at = 'infinity' where due_at is not null");
    const platformId = await platform();
    const record = await toBeSent(platformId);
    await admin(`update users set key_version = 2 where id = '${record.externalUserId}'`);
    await set(record.kycRecordId, "due_at = now()");
    const [leased] = await kyc.leaseDue(1);
    if (!leased) throw new Error("nothing due");
    await expect(kyc.loadAttempt(platformId, leased)).rejects.toMatchObject(
      decryptionFailure("key-version-unknown"),
    );
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ resolution: "unresolved", needs_attention_since: null });
    expect(row?.due_at).toEqual(row?.lease_until);
  });
});

test("a dump of the database contains no submitted value, in any common encoding", async () => {
  const canaries = {
    email: "Canary.Mail+tag@Canary-Domain.example",
    name: "Canary Nameperson",
    birthday: "1977-07-17",
    documentNumber: "CANARYDOC7788",
    frontImageUrl: "https://canary-front.example.com/front.jpg",
    selfieImageUrl: "https://canary-selfie.example.com/selfie.jpg",
    phoneNumber: "70717273747",
    occupation: "Canarykeeper",
    position: "Chief canary",
    contactAddress: "77 Canary Wharf Street",
    memberId: "member-canary-4242",
  };
  const platformId = await platform();
  const idempotencyKey = "canary-key-5151";
  const { record } = await kyc.createOrReplay(platformId, { ...aRequest(canaries), idempotencyKey });
  await kyc.storeVerdict(platformId, record, answered("approved", "acct_1"));

  const dump = await dumpOf();
  for (const there of [record.kycRecordId, record.externalUserId, "acct_1", "approved"]) {
    expect(dump).toContain(there);
  }
  for (const canary of [...Object.values(canaries), idempotencyKey]) {
    for (const form of [canary, Buffer.from(canary).toString("hex"), Buffer.from(canary).toString("base64")])
      expect(dump).not.toContain(form.toLowerCase());
  }
});

/** Returns every column of every table as lower-case text, and binary columns as Latin-1 too. */
async function dumpOf(): Promise<string> {
  const tables = await admin(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    for (const row of await admin(`select t.*, row_to_json(t)::text as all_as_text from ${name} as t`)) {
      const bytes = Object.values(row).filter(Buffer.isBuffer);
      lines.push(row.all_as_text, ...bytes.map((value) => value.toString("latin1")));
    }
  }
  return lines.join("\n").toLowerCase();
}
