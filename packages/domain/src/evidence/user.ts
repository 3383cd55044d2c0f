import * as z from "zod";
import { evidencePurpose } from "../audit/purpose.ts";
import { externalUserId } from "../identity/identifier.ts";
import { userReference } from "../users/inputs.ts";

export const userIdentifiersQuery = userReference.extend({ purpose: evidencePurpose });

/** A user's identifiers on their platform. */
export const userIdentifiers = z
  .object({
    externalUserId,
    email: z.string().nullable().meta({
      description: "Null after an erasure, or while another user has the e-mail.",
    }),
    memberId: z.string().nullable().meta({ description: "Null after an erasure." }),
  })
  .meta({ id: "UserIdentifiers" });

export const userExportPartQuery = userReference.extend({
  purpose: evidencePurpose,
  index: z
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .meta({ description: "The number of the part, starting at 0." }),
});

/** One file of a user's export. */
export const userExportPart = z
  .object({
    index: z.int(),
    name: z.string().meta({ description: "The path of the file in the archive." }),
    content: z.string().meta({ description: "The bytes in base64." }),
    next: z.int().nullable().meta({ description: "The index of the next part; null after the last one." }),
  })
  .meta({ id: "UserExportPart" });
