import * as z from "zod";

/** Why a person looks at personal data. The audit keeps it. */
export const evidencePurpose = z.enum(["review", "fraud", "person", "authority", "quality"]).meta({
  description:
    "Why the caller needs the data: a review of the record, suspected fraud, a request of the person, a request of an " +
    "authority, or quality control. The audit keeps it.",
});
export type EvidencePurpose = z.output<typeof evidencePurpose>;
