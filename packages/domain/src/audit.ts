import type { ErrorCode } from "./errors.ts";

/** What the audit keeps: what callers did, and what people did at the command line. */
export type AuditAct =
  | "kyc.submit"
  | "kyc.get"
  | "kyc.history"
  | "file.upload"
  | "file.read"
  | "record.show"
  | "record.ask"
  | "record.resend"
  | "record.settle"
  | "platform.create"
  | "platform.rename"
  | "key.create"
  | "key.rotate"
  | "key.revoke"
  | "user.show"
  | "user.import"
  | "user.relink"
  | "user.erase";

/** How an act ended: as it should, with an earlier result repeated, or with the error that its caller got. */
export type AuditOutcome = "done" | "replayed" | ErrorCode;

/** Who acts, and from where. */
export interface Actor {
  /** The keyId of a caller, `person:<name>` at the command line, or `worker`. */
  actor: string;
  /** Null where there is no request. */
  requestId: string | null;
  /** The network address that the call came from; null where it came over no network. */
  address: string | null;
}

/** One act, by ids of ours alone: no personal data. */
export interface AuditEntry extends Actor {
  act: AuditAct;
  /** What it was done to; null where nothing was found, whatever the caller had called it. */
  subject: string | null;
  outcome: AuditOutcome;
}

/** A seal over some entries and, by the seal before it, over all earlier ones. */
export interface AuditSeal {
  platformId: string;
  /** From 1. */
  number: number;
  /** How many entries it covers. */
  count: number;
  /** In hexadecimal digits. Kept elsewhere, it shows later that the end of the chain was not cut off. */
  hash: string;
}

/** The audit of platforms: entries that are only ever added, and seals that show whether any was changed. */
export interface Audit {
  /**
   * Adds an entry in a transaction of its own, committed on return. A submission's entry needs none: it is
   * written by the claim.
   * @throws Failure SERVICE_UNAVAILABLE whatever the reason: what cannot be noted must not happen.
   */
  note(platformId: string, entry: AuditEntry): Promise<void>;
  /** The platforms that have unsealed entries, each with the age of its oldest one. */
  unsealed(): Promise<{ platformId: string; oldestSeconds: number }[]>;
  /**
   * Seals up to `most` of a platform's oldest unsealed entries. Null where there are none that can be sealed
   * yet, or where somebody else has sealed them at this moment.
   */
  seal(platformId: string, most: number): Promise<AuditSeal | null>;
}
