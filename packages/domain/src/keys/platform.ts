import * as z from "zod";
import { moment, nameText } from "../formats.ts";

/** The platform that keys of internal apps belong to (gap G19). It has no users: such keys name another one per call. */
export const internalPlatformId = "internal";

/** The header in which a key of an internal app names the platform that a call is for (gap G19). */
export const platformHeader = "X-Cardbridge-Platform";

export const platformId = z.stringFormat("platform-id", /^[0-9A-Za-z_-]{1,64}$/).meta({
  description: "The platform's id, such as plt_…; `internal` where keys of internal apps are meant.",
});

const name = nameText.meta({ description: "What people call it." });

export const platform = z
  .object({ platformId, name: z.string(), createdAt: moment })
  .meta({ id: "Platform" });
export type Platform = z.output<typeof platform>;

export const createPlatformInput = z.object({ name });
export const renamePlatformInput = z.object({ platformId, name });
