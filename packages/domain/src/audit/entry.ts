import * as z from "zod";
import type { ErrorCode } from "../errors/failure.ts";
import { moment } from "../input/formats.ts";
import { type EvidencePurpose, evidencePurpose } from "./purpose.ts";

/** The outcome of an operation: success, a replayed result, or the error code that the caller received. */
export type AuditOutcome = "done" | "replayed" | ErrorCode;

/** The caller of an operation and its origin. */
export interface Actor {
  /**
   * The caller's keyId, `<personId>/<keyId>` for a person of an internal app, `claim:<name>` at the command line, where
   * nobody verifies the name, `worker`, or `provider`.
   */
  actor: string;
  /** Null without a request. */
  requestId: string | null;
  /** The caller's network address; null for a call without a network. */
  address: string | null;
}

/** The caller and the operation that it runs. */
export interface AuditOrigin extends Actor {
  /** The operation's id, such as `kyc.submit`. */
  operation: string;
}

/** One call of an operation. It holds ids only, and no personal data. */
export interface AuditEntry extends AuditOrigin {
  /** The id of the call's subject; null if the subject does not exist. */
  subject: string | null;
  outcome: AuditOutcome;
  /** Why personal data was read; absent for other calls. */
  purpose?: EvidencePurpose | undefined;
}

/** An audit entry, for operators. */
export const auditEntry = z
  .object({
    id: z.string(),
    at: moment,
    actor: z.string().meta({
      description: "The id of the key, `claim:` and a name at the command line, `worker` or `provider`.",
    }),
    person: z
      .string()
      .nullable()
      .meta({ description: "The id of the person for whom an internal app called; null without one." }),
    operation: z.string(),
    subject: z.string().nullable(),
    outcome: z.string(),
    purpose: evidencePurpose
      .nullable()
      .meta({ description: "Why personal data was read; null for other calls." }),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    count: z.int().nullable().meta({
      description:
        "The number of repeated reads of a day that the entry stands for, up to `at`; null for one call.",
    }),
  })
  .meta({ id: "AuditEntry" });
export type ListedAuditEntry = z.output<typeof auditEntry>;
