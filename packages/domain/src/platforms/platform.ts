import * as z from "zod";
import { moment } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";

/** The platform of internal apps' keys. It has no users: each call names the platform that it acts for. */
export const internalPlatformId = "internal";

/** The header that names the platform of a call with an internal app's key. */
export const platformHeader = "X-Cardbridge-Platform";

export const platformId = z.stringFormat("platform-id", idPattern(64)).meta({
  description: "The platform's id, such as plt_…; `internal` for keys of internal apps.",
});

export const platform = z
  .object({ platformId, name: z.string(), createdAt: moment })
  .meta({ id: "Platform" });
export type Platform = z.output<typeof platform>;

/** A platform with its stored files and bytes, which count towards its quota. */
export const listedPlatform = z.object({
  ...platform.shape,
  storedFiles: z.int().min(0),
  storedBytes: z.int().min(0),
});
