import * as z from "zod";
import { nameText } from "../input/formats.ts";
import { listLimit, moreThanLimit } from "../input/pagination.ts";
import { listedPlatform, platformId } from "./platform.ts";

const name = nameText.meta({ description: "The platform's name, for people." });

export const createPlatformInput = z.object({ name });
export const renamePlatformInput = z.object({ platformId, name });
export const platformListQuery = z.object({ limit: listLimit(200) });
export const platformPage = z.object({ platforms: z.array(listedPlatform), more: moreThanLimit });

/** The platforms of a search over several. */
export const platformIds = z
  .array(platformId)
  .min(1)
  .max(200)
  .optional()
  .meta({ description: "The platforms to search. Absent: all that the caller may access." });
