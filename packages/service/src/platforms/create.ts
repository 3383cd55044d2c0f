import { createPlatformInput, platform } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePlatform } from "./example.ts";

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

  async run({ ids, platforms }, _call, { name }) {
    const created = await platforms.create({ platformId: ids.platformId(), name });
    return { data: created, subject: created.platformId };
  },
});
