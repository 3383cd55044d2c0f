import * as z from "zod";
import { extensibleEnum } from "../input/open-enum.ts";
import { documentExpiries } from "./document-expiry.ts";
import { type DocumentRequestState, requestsField, toDocumentRequest } from "./document-requests.ts";
import type { KycRecord } from "./record.ts";
import { kycResult, statusOf, toKycResult } from "./result.ts";
import { standingApproval } from "./standing-approval.ts";
import { kycStatus } from "./status.ts";

/** The fields that every reading of a record has beside those of section 2.4 (gaps G43 and G44). */
export const readingFields = {
  documentExpiry: extensibleEnum(documentExpiries)
    .nullable()
    .meta({
      description:
        "Whether the identity document of an approved record is valid, expires soon (expiring), has expired, never expires " +
        "(permanent), or has no date that the service can read (unknown), as that of an approval which a later one has " +
        "replaced. Null for any other record. Tolerate new values.",
    }),
  renews: z.string().nullable().meta({
    description: "The kycRecordId of the approval that this record renews; null if it renews none.",
  }),
  ...requestsField,
};

const kycReading = kycResult.extend(readingFields);
type KycReading = z.output<typeof kycReading>;

/** What a reading of a user returns (gaps G24 and G44). */
export const currentKyc = kycReading
  .extend({
    renewal: z
      .object({
        kycRecordId: z.string().meta({ description: "The id of the later record." }),
        status: kycStatus.nullable().meta({ description: "Its unified status; null for a refusal." }),
      })
      .nullable()
      .meta({
        description:
          "The user's latest record, if it is later than this approval. A refused or rejected one leaves the approval standing.",
      }),
  })
  .meta({ id: "KycReading" });
type CurrentKyc = z.output<typeof currentKyc>;

/** A record with the provider's requests, oldest first. */
export interface RecordReading extends KycRecord {
  requests: DocumentRequestState[];
}

/** A user's current record: the standing approval, else the latest record. */
export interface UserReading extends RecordReading {
  /** The latest record, if it is later than a standing approval. */
  renewal: KycRecord | null;
}

/** Chooses the current record. @param records the latest record and the last approved one, newest first */
export function toUserReading(records: readonly RecordReading[]): UserReading | null {
  const [latest] = records;
  if (!latest) return null;
  const current = standingApproval(records) ?? latest;
  return { ...current, renewal: current === latest ? null : latest };
}

/** Converts a record with its requests into what a reading returns. */
export function toKycReading({ requests, ...record }: RecordReading): KycReading {
  const { status, documentExpiry, renews } = record;
  return {
    ...toKycResult(record),
    documentExpiry: status === "APPROVED" ? (documentExpiry ?? "unknown") : null,
    renews,
    requests: requests.map(toDocumentRequest),
  };
}

/** Converts a user's records into what a reading of the user returns. */
export function toCurrentKyc({ renewal, ...record }: UserReading): CurrentKyc {
  return {
    ...toKycReading(record),
    renewal: renewal && { kycRecordId: renewal.kycRecordId, status: statusOf(renewal) },
  };
}
