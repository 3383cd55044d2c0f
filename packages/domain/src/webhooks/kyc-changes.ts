import * as z from "zod";
import { Failure } from "../errors/failure.ts";
import { moment } from "../input/formats.ts";
import { environments } from "../keys/environment.ts";
import { kycDocumentExpired, kycDocumentExpiring, kycRequestUpdated, kycUpdated } from "./events.ts";

/** The maximum number of changes on one page. */
export const maxChangesOfPage = 100;

/** A position in the order of commits: the transaction and the id of a history row. Opaque to callers. */
export const changePosition = z
  .stringFormat("change-position", /^[0-9]{1,18}-[0-9]{1,18}$/)
  .meta({ description: "A position in the sequence of the platform's changes." });

/** Parameters for the KYC changes after a position (an extension). */
export const kycChangesQuery = z
  .object({
    lastEventId: changePosition.optional().meta({
      description:
        "The position of the last known change. Absent: returns the current position and no changes.",
    }),
  })
  .meta({ id: "KycChangesQuery" });

/** Parameters for a page of KYC changes. */
export const kycChangeListQuery = kycChangesQuery
  .extend({
    cursor: changePosition.optional().meta({
      description:
        "The position of the last known change, for tRPC's infinite queries, whose first page begins at lastEventId. " +
        "It replaces lastEventId.",
    }),
  })
  .meta({ id: "KycChangeListQuery" });

const ofEvent = {
  id: changePosition,
  environment: z.enum(environments).meta({ description: "The environment of the service (gap G36)." }),
  timestamp: moment.meta({ description: "When the change was stored; RFC 3339, in UTC." }),
};

/** A change of a KYC record, of its requests or of its document's expiry: the event that an endpoint of webhooks receives, with its position. */
export const kycChangeEvent = z.discriminatedUnion("type", [
  z.object({ ...ofEvent, type: z.literal("kyc.updated"), data: kycUpdated }),
  z.object({ ...ofEvent, type: z.literal("kyc.request_updated"), data: kycRequestUpdated }),
  z.object({ ...ofEvent, type: z.literal("kyc.document_expiring"), data: kycDocumentExpiring }),
  z.object({ ...ofEvent, type: z.literal("kyc.document_expired"), data: kycDocumentExpired }),
]);
export type KycChangeEvent = z.output<typeof kycChangeEvent>;

/** The changes after a position, in the order of their commits. */
export const kycChangePage = z
  .object({
    changes: z.array(kycChangeEvent).max(maxChangesOfPage),
    lastEventId: changePosition.meta({ description: "The position to send with the next call." }),
    more: z.boolean().meta({ description: "Whether more changes exist already." }),
  })
  .meta({ id: "KycChangePage" });
export type KycChangePage = z.output<typeof kycChangePage>;

/** The failure for a position that no change has reached. It is forged, or older than a restore of the database. */
export function positionBeyondPresent(): Failure {
  const message = "The position is later than the latest change. Omit it to start at the current position.";
  return new Failure("INVALID_INPUT", {
    violations: [{ path: [], rule: "position-beyond-present", message }],
  });
}

/** Whether the position `one` is behind `other`. */
export function isBehind(one: string, other: string): boolean {
  const [txid = 0n, id = 0n] = one.split("-").map(BigInt);
  const [otherTxid = 0n, otherId = 0n] = other.split("-").map(BigInt);
  return txid === otherTxid ? id < otherId : txid < otherTxid;
}
