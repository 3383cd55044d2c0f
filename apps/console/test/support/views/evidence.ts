import { readFileSync } from "node:fs";
import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { FakeState } from "./procedures.ts";
import { Refusal } from "./refusal.ts";
import type { Row } from "./rows.ts";

type Opened = RouterOutputs["records"]["submission"];
type Input = Record<string, unknown>;

/** What a test changes about the evidence of all records. */
export interface FakeEvidence {
  /** How long an opening lasts, in milliseconds. */
  lastsMs: number;
  erased: boolean;
  /** The files at another host, and those that are gone, by field. */
  elsewhere: readonly string[];
  gone: readonly string[];
}

export const fullEvidence = (): FakeEvidence => ({
  lastsMs: 900_000,
  erased: false,
  elsewhere: ["supportingDocuments/1"],
  gone: [],
});

const picture = (name: string) =>
  readFileSync(new URL(`pictures/${name}.webp`, import.meta.url)).toString("base64");
const pictures = new Map(
  [
    ["frontImageUrl", "front", 1_000, 640, 1],
    ["backImageUrl", "back", 1_000, 640, 1],
    ["selfieImageUrl", "selfie", 720, 900, 1],
    ["supportingDocuments/0", "bill", 760, 1_075, 12],
  ].map(([field, name, width, height, pages], index) => [
    `file_01m8demo00000000000000000${index}`,
    { field: String(field), image: picture(String(name)), width, height, pages: Number(pages) },
  ]),
);

/** A name that must reach no address, title, storage or cache. */
export const submittedCanary = "Chan Tai Man";

export function openedOf(row: Row, { lastsMs, erased, elsewhere, gone }: FakeEvidence): Opened {
  const stored = [...pictures].map(([fileId, { field }]) => ({
    field,
    documentType: field.startsWith("supporting") ? ("UTILITY_BILL" as const) : null,
    fileId,
    host: null,
    contentType: field.startsWith("supporting") ? ("application/pdf" as const) : ("image/jpeg" as const),
    sha256: "1".repeat(64),
  }));
  const bank = { documentType: "BANK_STATEMENT" as const, host: null, contentType: null, sha256: null };
  const all = [...stored, { ...bank, field: "supportingDocuments/1", fileId: "file_other" }];
  return {
    kycRecordId: row.kycRecordId,
    platformId: row.platformId,
    openingId: `open_${Math.random().toString(36).slice(2)}`,
    auditId: "4711",
    openedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + lastsMs).toISOString(),
    version: "v7",
    evidenceHash: "a".repeat(64),
    files: erased ? [] : all.map((file) => fileOf(file, elsewhere, gone)),
    submission: erased ? null : submission,
  };
}

function fileOf(
  file: Opened["files"][number],
  elsewhere: readonly string[],
  gone: readonly string[],
): Opened["files"][number] {
  if (elsewhere.includes(file.field)) {
    return { ...file, fileId: null, host: "files.partner.example", contentType: null, sha256: null };
  }
  return gone.includes(file.field) ? { ...file, contentType: null, sha256: null } : file;
}

const submission: NonNullable<Opened["submission"]> = {
  email: "chan.taiman+canary@example.com",
  name: submittedCanary,
  birthday: "1990-05-17",
  documentType: "passport",
  documentNumber: "K0123456(7)",
  documentCountry: "HK",
  documentExpiryDate: "2031-02-28",
  phoneCountryCode: "+852",
  phoneNumber: "51234567",
  gender: "male",
  annualIncome: "200000-500000",
  occupation: "Software engineer",
  position: "Senior",
  nationality: "HK",
  contactAddress: "Flat 12B, Tower 3, The Very Long Named Residence\n88 Example Road, Kowloon",
  memberId: "m-20417",
};

/** The procedures of evidence. */
export function evidenceProcedures(state: FakeState, find: (input: Input) => Row) {
  return {
    "records.submission": (input: Input) => openedOf(find(input), state.evidence),
    "records.submissionFile": ({ fileId, page = 1 }: Input) => {
      const file = pictures.get(String(fileId));
      if (!file) throw new Refusal(404, "FILE_NOT_FOUND", "There is no such file on this platform.");
      const { image, width, height, pages } = file;
      return { fileId, page, pages: Math.min(10, pages), allPages: pages, width, height, image };
    },
    "records.restrictedReasons": (input: Input) => ({
      kycRecordId: find(input).kycRecordId,
      reasons: [{ reason: "WATCH_LIST_MATCH", observedAt: new Date(Date.now() - 7_200_000).toISOString() }],
    }),
  };
}
