import { createPlatformInput, type Platform, platform } from "@cardbridge/domain";
import { requireRow } from "../database/require-row.ts";
import { platforms } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePlatform, platformFields } from "./fields.ts";

/** Creates a platform. */
export const createPlatform = defineOperation({
  ...forOperators("ops.platforms"),
  reach: "service",
  id: "platforms.create",
  kind: "write",
  summary: "Create a platform",
  description: "Creates a platform. It has no users and no keys yet.",
  input: createPlatformInput,
  rules: [],
  output: platform,
  example: { input: { name: examplePlatform.name }, output: examplePlatform },
  errors: [],
  audit: ["done"],

  async run({ ids, database }, _call, { name }) {
    const platformId = ids.platformId();
    const data = await database.asPlatform<Platform>(platformId, async (tx) => {
      const created = tx.insert(platforms).values({ id: platformId, name }).returning(platformFields);
      return pipelineCommit([created], ([rows]) => requireRow(rows, "platform"));
    });
    return { data, subject: platformId };
  },
});
