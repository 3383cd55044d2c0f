import { randomUUID } from "node:crypto";
import { afterRejection } from "@cardbridge/domain";
import { deriveKeys, kycRecordsRepository, openDatabase, parseKeyRing } from "../../src/database.ts";

/*
 * Submits in a process of its own until it is killed. Each message asks for the milliseconds of the submissions since the
 * previous one. Arguments: the service's URL and the platform.
 */
const [url = "", platformId = ""] = process.argv.slice(2);
const database = openDatabase({ url, maxConnections: 4, onError: () => {} });
const ring = parseKeyRing(`1:${Buffer.alloc(32, 1).toString("base64")}`);
const keys = deriveKeys({ ring, fingerprintKey: "a-secret-for-fingerprints-in-tests" });
const kyc = kycRecordsRepository(database, { keys });
let times: number[] = [];

async function submit(): Promise<never> {
  while (true) {
    const name = randomUUID();
    const start = performance.now();
    await kyc.createOrReplay(platformId, {
      submission: {
        ...JSON.parse(process.env.SUBMISSION ?? "{}"),
        memberId: name,
        email: `${name}@example.com`,
      },
      files: [],
      by: { actor: "key_1", requestId: "req_1", address: "192.0.2.1", operation: "kyc.submit" },
      externalUserId: `usr_${name}`,
      kycRecordId: `kyc_${name}`,
      decide: afterRejection.decide,
      renews: true,
      expiry: { documentExpiry: null, checkAt: null },
    });
    times.push(performance.now() - start);
  }
}

process.on("message", () => {
  process.send?.(times);
  times = [];
});
await Promise.all([submit(), submit(), submit(), submit()]);
