import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { moment, shortText } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import { listLimit } from "../input/pagination.ts";
import { platformId } from "../platforms/platform.ts";

/** The longest pause, in days. */
export const maxPauseDays = 30;

const pauseId = z
  .stringFormat("pause-id", idPattern(80))
  .meta({ description: "The pause's id, such as pause_…." });

const start = {
  reason: shortText.meta({
    description:
      "Why, for operators and, for a pause of a platform, for its callers. It must not contain personal data.",
  }),
  until: moment.meta({
    description: `When the pause ends by itself, at most ${maxPauseDays} days from now. Resume earlier with pauses.resume.`,
  }),
};

export const pauseProviderInput = z.object(start);
export const pausePlatformInput = z.object({ platformId, ...start });

export const resumeInput = z.object({ pauseId });

export const pauseListQuery = z.object({
  active: z.literal(true).optional().meta({ description: "Lists only active pauses." }),
  limit: listLimit(50),
});

/** A pause of calls to the provider, or of a platform's calls. */
export const pause = z
  .object({
    pauseId,
    target: z.enum(["provider", "platform"]),
    platformId: z.string().nullable().meta({ description: "Null for the provider." }),
    platformName: z.string().nullable(),
    reason: z.string(),
    state: z.enum(["active", "ended"]),
    person: namedPerson.nullable().meta({ description: "Null for a pause of the command line." }),
    pausedBy: z.string().meta({ description: "The actor, as in the audit." }),
    pausedAt: moment,
    until: moment,
    resumedBy: z.string().nullable(),
    resumedAt: moment.nullable(),
  })
  .meta({ id: "Pause" });
export type Pause = z.output<typeof pause>;

export const pausePage = z
  .object({ pauses: z.array(pause).meta({ description: "Newest first." }) })
  .meta({ id: "PausePage" });
