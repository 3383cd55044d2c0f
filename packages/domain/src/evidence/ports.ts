import type { AuditOrigin } from "../audit/entry.ts";
import type { EvidencePurpose } from "../audit/purpose.ts";
import type { FileType } from "../files/file.ts";
import type { KycSubmission } from "../kyc/submission.ts";
import type { RecordRestrictedReasons } from "./restricted.ts";

/** An opening of a record's evidence by a person, with its audit entry. */
export interface EvidenceOpening {
  openingId: string;
  auditId: string;
  platformId: string;
  kycRecordId: string;
  openedAt: string;
  expiresAt: string;
}

/** A record's evidence as it was opened. */
export interface OpenedEvidence extends EvidenceOpening {
  version: string;
  /** Null after an erasure. */
  submission: KycSubmission | null;
}

/** Who opens a record's evidence, and why. */
export interface OpenEvidence {
  kycRecordId: string;
  openingId: string;
  personId: string;
  purpose: EvidencePurpose;
  /** The hash of what is opened. The opening keeps it. */
  evidenceHash: string;
  by: AuditOrigin;
}

/** Reads what only some persons may see. The database writes the audit entry with each read. */
export interface Evidence {
  /** In one transaction: opens a record's evidence for a person and audits it. Null if the record does not exist. */
  open(opening: OpenEvidence): Promise<OpenedEvidence | null>;
  /** A person's opening of a record that has not expired; null otherwise. */
  opening(
    openingId: string,
    about: { kycRecordId: string; personId: string },
  ): Promise<EvidenceOpening | null>;
  /** Whether the person has opened this evidence of the record, also if the opening has expired (gap G38). */
  hasOpened(opened: Pick<OpenEvidence, "kycRecordId" | "personId" | "evidenceHash">): Promise<boolean>;
  /** Whether the opened record's submission uses this file. */
  uses(opening: EvidenceOpening, fileId: string): Promise<boolean>;
  /**
   * What the evidence hash covers besides the files, without an audit entry: the keyed hash of the fields and the file
   * URLs. Null if the record does not exist.
   */
  covered(
    kycRecordId: string,
  ): Promise<{ platformId: string; fingerprint: string | null; submission: KycSubmission | null } | null>;
  /** Audits a read of a record's restricted reasons, then reads them. Null if the record does not exist. */
  restrictedReasons(kycRecordId: string, by: AuditOrigin): Promise<RecordRestrictedReasons | null>;
  /** Deletes up to `limit` openings that expired a day ago and that no open proposal needs; returns their number. */
  sweep(limit: number): Promise<number>;
}

/** A page of a file to render. */
export interface PageToRender {
  contentType: FileType;
  bytes: Uint8Array;
  /** Starts at 1. */
  page: number;
  /** The texts of the watermark. The id stands for a name that the font cannot draw. */
  watermark: { name: string; personId: string; time: string; auditId: string };
}

/** A rendered page: a WebP picture. */
export interface RenderedPage {
  bytes: Uint8Array;
  width: number;
  height: number;
  /** The number of pages of the file. */
  allPages: number;
}

/** Renders pages of files with a watermark. */
export interface EvidenceRenderer {
  /**
   * `holder` is whose share of the renderers is used.
   * @throws Failure INVALID_INPUT for a page that the file does not have, SERVICE_UNAVAILABLE if it cannot be rendered.
   */
  render(page: PageToRender, holder: string): Promise<RenderedPage>;
}
