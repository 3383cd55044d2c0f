import { Failure, platform, renamePlatformInput } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePlatform } from "./example.ts";

/** Renames a platform. */
export const renamePlatform = defineOperation({
  ...forOperators("ops.platforms"),
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

  async run({ platforms }, _call, input) {
    const renamed = await platforms.rename(input);
    if (!renamed) throw new Failure("PLATFORM_NOT_FOUND");
    return { data: renamed, subject: renamed.platformId };
  },
});
