import * as z from "zod";
import { moment } from "../input/formats.ts";

export const restoreCheckInput = z.object({
  since: moment.optional().meta({
    description:
      "The moment that the database was restored to. Default: an hour before its newest audit entry, and every erasure.",
  }),
  accept: z
    .literal(true)
    .optional()
    .meta({ description: "Let the service start although the check found problems." }),
});

/** `note`: something was lost that no restore brings back. `problem`: the service must not start with it. */
const findingResults = ["ok", "note", "problem"] as const;

/** What one part of the check found. */
const restoreFinding = z.object({
  check: z.string().meta({ description: "The part of the check." }),
  result: z.enum(findingResults),
  found: z.string().meta({ description: "What it found, as a sentence." }),
  details: z
    .array(z.string())
    .meta({ description: "What it found, one by one: ids, checkpoints, problems." }),
});
export type RestoreFinding = z.output<typeof restoreFinding>;

export const restoreReport = z
  .object({
    since: moment
      .nullable()
      .meta({ description: "From when executions were listed; null for an empty database." }),
    checkedAt: moment,
    passed: z.boolean().meta({ description: "Whether no part found a problem." }),
    mayStart: z.boolean().meta({ description: "Whether the service may start." }),
    findings: z.array(restoreFinding),
  })
  .meta({ id: "RestoreReport" });
export type RestoreReport = z.output<typeof restoreReport>;
