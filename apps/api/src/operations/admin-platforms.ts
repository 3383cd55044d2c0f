import {
  createPlatformInput,
  Failure,
  platform,
  platformListQuery,
  platformPage,
  renamePlatformInput,
} from "@cardbridge/domain";
import { defineOperation } from "./operation.ts";
import type { AdminPorts } from "./ports.ts";

const example = {
  platformId: "plt_01jexample0000000000000000",
  name: "Example Ltd",
  createdAt: "2026-01-31T12:00:00.000Z",
};
const shared = { documented: false, scope: "admin", rules: [] } as const;

/** Makes a platform. */
export const createPlatform = defineOperation({
  ...shared,
  id: "admin.platforms.create",
  kind: "mutation",
  summary: "Make a platform",
  description: "Makes a platform, without users and without keys.",
  input: createPlatformInput,
  output: platform,
  example: { input: { name: example.name }, output: example },
  errors: [],
  noted: { act: "platform.create", outcomes: ["done"] },

  async run({ ids, platforms }: AdminPorts, _call, { name }) {
    const made = await platforms.create({ platformId: ids.platformId(), name });
    return { data: made, subject: made.platformId };
  },
});

/** Lists the platforms, oldest first. */
export const listPlatforms = defineOperation({
  ...shared,
  id: "admin.platforms.list",
  kind: "query",
  summary: "List the platforms",
  description: "Lists the platforms, oldest first.",
  input: platformListQuery,
  output: platformPage,
  example: { input: {}, output: { platforms: [example], more: false } },
  errors: [],
  noted: null,

  async run({ platforms }: AdminPorts, _call, { limit }) {
    // One more tells whether there are more.
    const found = await platforms.list(limit + 1);
    return { data: { platforms: found.slice(0, limit), more: found.length > limit } };
  },
});

/** Gives a platform another name. */
export const renamePlatform = defineOperation({
  ...shared,
  id: "admin.platforms.rename",
  kind: "mutation",
  summary: "Rename a platform",
  description: "Gives a platform another name; its id, users and keys stay.",
  input: renamePlatformInput,
  output: platform,
  example: { input: { platformId: example.platformId, name: example.name }, output: example },
  errors: ["PLATFORM_NOT_FOUND"],
  noted: { act: "platform.rename", outcomes: ["done", "PLATFORM_NOT_FOUND"] },

  async run({ platforms }: AdminPorts, _call, input) {
    const renamed = await platforms.rename(input);
    if (!renamed) throw new Failure("PLATFORM_NOT_FOUND");
    return { data: renamed, subject: renamed.platformId };
  },
});
