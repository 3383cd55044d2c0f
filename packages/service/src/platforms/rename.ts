import {
  Failure,
  internalPlatformId,
  type Platform,
  platform,
  renamePlatformInput,
} from "@cardbridge/domain";
import { eq } from "drizzle-orm";
import { platforms } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePlatform, platformFields } from "./fields.ts";

/** Renames a platform. */
export const renamePlatform = defineOperation({
  ...forOperators("ops.platforms"),
  reach: "owner",
  id: "platforms.rename",
  kind: "write",
  summary: "Rename a platform",
  description: "Renames a platform. Its id, users and keys stay the same.",
  input: renamePlatformInput,
  rules: [],
  output: platform,
  example: {
    input: { platformId: examplePlatform.platformId, name: examplePlatform.name },
    output: examplePlatform,
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND"],

  async run({ database }, _call, { platformId, name }) {
    if (platformId === internalPlatformId) throw new Failure("PLATFORM_NOT_FOUND");
    const data = await database.asPlatform<Platform | undefined>(platformId, async (tx) => {
      const renamed = tx
        .update(platforms)
        .set({ name })
        .where(eq(platforms.id, platformId))
        .returning(platformFields);
      return pipelineCommit([renamed], ([rows]) => rows[0]);
    });
    if (!data) throw new Failure("PLATFORM_NOT_FOUND");
    return { data, subject: platformId };
  },
});
