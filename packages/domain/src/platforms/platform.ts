import * as z from "zod";
import { moment } from "../input/formats.ts";

/** The platform that keys of internal apps belong to (gap G19). It has no users: such keys name another one per call. */
export const internalPlatformId = "internal";

/** The header in which a key of an internal app names the platform that a call is for (gap G19). */
export const platformHeader = "X-Cardbridge-Platform";

export const platformId = z.stringFormat("platform-id", /^[0-9A-Za-z_-]{1,64}$/).meta({
  description: "The platform's id, such as plt_…; `internal` where keys of internal apps are meant.",
});

export const platform = z
  .object({ platformId, name: z.string(), createdAt: moment })
  .meta({ id: "Platform" });
export type Platform = z.output<typeof platform>;
