import { randomUUID } from "node:crypto";
import { afterRejection } from "@cardbridge/domain";
import { checkpointAudit, exampleSubmission, verifyAuditBatch } from "@cardbridge/service";
import {
  createVerifiedKeys,
  kycRecordsRepository,
  noLookupCache,
  openDatabase,
  putPlatform,
  userLookup,
} from "@cardbridge/service/database";
import { encryptionKeys } from "../../../../src/boot/options.ts";
import { readEnv } from "../../../../src/config/env.ts";
import { until } from "../../../support/until.ts";

const platformId = "plt_backup";
const members = ["before the backup", "before the moment", "after the moment"];
const idOf = (name: string) => name.replaceAll(" ", "-");

/** Opens a database as the service. With the owner's URL, creates the platform. */
export async function loadDatabase(serviceUrl: string, ownerUrl?: string) {
  const database = openDatabase({ url: serviceUrl, onError: () => {} });
  const keys = encryptionKeys(readEnv({}));
  const ports = { database, keySet: keys, observer: { observe: () => {} } };
  const verify = () => verifyAuditBatch(ports, platformId, { after: 0 });
  const kyc = kycRecordsRepository(database, { keys });
  const personalDataKeys = createVerifiedKeys(database, keys);
  const users = userLookup({ database, personalDataKeys, cache: noLookupCache });
  if (ownerUrl) await putPlatform(ownerUrl, { id: platformId, name: "A platform" });
  return {
    database,
    close: database.close,
    /** Submits a record of a new user, with its entry in the audit. */
    async submit(name: string): Promise<void> {
      const memberId = idOf(name);
      await kyc.createOrReplay(platformId, {
        submission: { ...exampleSubmission.input, memberId, email: `${memberId}@example.com` },
        files: [],
        by: { actor: "key_1", requestId: "req_1", address: "192.0.2.1", operation: "kyc.submit" },
        externalUserId: `usr_${randomUUID()}`,
        kycRecordId: `kyc_${randomUUID()}`,
        decide: afterRejection.decide,
        renews: true,
        expiry: { documentExpiry: null, checkAt: null },
      });
    },
    /** Creates checkpoints until no entry is pending. */
    async checkpoint(): Promise<void> {
      await until(async () => {
        await checkpointAudit(ports);
        return (await verify()).pending === 0;
      });
    },
    verify,
    /** Which users exist. */
    async memberIds(): Promise<Record<string, boolean>> {
      const found = members.map(async (name) => [
        name,
        (await users.find(platformId, { memberId: idOf(name) })) !== null,
      ]);
      return Object.fromEntries(await Promise.all(found));
    },
  };
}
