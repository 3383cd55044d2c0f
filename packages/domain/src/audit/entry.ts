import * as z from "zod";
import type { ErrorCode } from "../errors/failure.ts";
import { moment } from "../input/formats.ts";

/** How an operation ended: as it should, with an earlier result repeated, or with the error that its caller got. */
export type AuditOutcome = "done" | "replayed" | ErrorCode;

/** Who acts, and from where. */
export interface Actor {
  /** The keyId of a caller, `person:<name>` at the command line, `worker`, or `provider`. */
  actor: string;
  /** Null where there is no request. */
  requestId: string | null;
  /** The network address of the caller; null where the call came over no network. */
  address: string | null;
}

/** Who runs which operation, and from where. */
export interface AuditOrigin extends Actor {
  /** The operation's id, such as `kyc.submit`. */
  operation: string;
}

/** One call of an operation, by our own ids: no personal data. */
export interface AuditEntry extends AuditOrigin {
  /** The id of what the call was about; null where nothing was found, whatever the caller named. */
  subject: string | null;
  outcome: AuditOutcome;
}

/** An entry as operators read it. */
export const auditEntry = z
  .object({
    id: z.string(),
    at: moment,
    actor: z.string(),
    operation: z.string(),
    subject: z.string().nullable(),
    outcome: z.string(),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ id: "AuditEntry" });
export type ListedAuditEntry = z.output<typeof auditEntry>;

/** A seal over some entries and, by the hash of the seal before it, over all earlier ones. */
export interface AuditSeal {
  platformId: string;
  /** From 1. */
  number: number;
  /** How many entries it covers. */
  count: number;
  /** In hexadecimal digits. A copy kept elsewhere shows later whether the end of the chain was cut off. */
  hash: string;
}
