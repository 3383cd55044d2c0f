import * as z from "zod";
import { Failure } from "../errors/failure.ts";
import { moment } from "../input/formats.ts";
import { kycUpdated } from "./events.ts";

/** The maximum number of changes of one page. */
export const maxChangesOfPage = 100;

/** A position in the order of commits: the transaction and the id of a history row. Opaque to callers. */
export const changePosition = z
  .stringFormat("change-position", /^[0-9]{1,18}-[0-9]{1,18}$/)
  .meta({ description: "A position among the platform's changes." });

/** Parameters for the KYC changes after a position (an extension). */
export const kycChangesQuery = z
  .object({
    lastEventId: changePosition.optional().meta({
      description: "The position of the last known change. Without it, the result has no changes.",
    }),
  })
  .meta({ id: "KycChangesQuery" });

/** A change of a KYC record: the event that an endpoint of webhooks receives, with its position. */
export const kycChangeEvent = z.object({
  id: changePosition,
  type: z.literal("kyc.updated"),
  timestamp: moment.meta({ description: "When the change was stored; RFC 3339, in UTC." }),
  data: kycUpdated,
});
export type KycChangeEvent = z.output<typeof kycChangeEvent>;

/** The changes after a position, in the order of their commits. */
export const kycChangePage = z
  .object({
    changes: z.array(kycChangeEvent).max(maxChangesOfPage),
    lastEventId: changePosition.meta({ description: "The position of the next call." }),
    more: z.boolean().meta({ description: "Whether more changes exist already." }),
  })
  .meta({ id: "KycChangePage" });
export type KycChangePage = z.output<typeof kycChangePage>;

/** The changes of all records, for subscribers. */
export interface KycChanges {
  /**
   * The platform's changes after a position, in the order of their commits, without gaps: a change waits for every
   * transaction that may still add an earlier one. Without a position, the present one and no changes.
   * @throws Failure INVALID_INPUT for a position beyond the present
   */
  after(platformId: string, lastEventId?: string): Promise<KycChangePage>;
}

/** The failure of a position that no change has reached: forged, or from before the database was restored. */
export function positionBeyondPresent(): Failure {
  const message = "This position is beyond the present: start again without one, from now.";
  return new Failure("INVALID_INPUT", {
    violations: [{ path: ["lastEventId"], rule: "position-beyond-present", message }],
  });
}

/** Whether the position `one` is behind `other`. */
export function isBehind(one: string, other: string): boolean {
  const [txid = 0n, id = 0n] = one.split("-").map(BigInt);
  const [otherTxid = 0n, otherId = 0n] = other.split("-").map(BigInt);
  return txid === otherTxid ? id < otherId : txid < otherTxid;
}
