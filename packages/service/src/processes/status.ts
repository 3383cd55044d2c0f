import { serviceStatus } from "@cardbridge/domain";
import * as z from "zod";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { lastRestoreCheck } from "../restores/restored.ts";

/** Reads the state of the service as a whole. */
export const readServiceStatus = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "service.status",
  kind: "read",
  summary: "Read the service's status",
  description: "Reads the environment, the version, the provider's capabilities and the limits.",
  input: z.object({}),
  rules: [],
  output: serviceStatus,
  example: {
    input: {},
    output: {
      environment: "test",
      version: "0.3.1",
      commit: null,
      fourEyes: true,
      provider: {
        name: "cardbridge",
        breakers: { cards: "closed" },
        capabilities: { files: "The provider fetches files by URL.", fields: [] },
      },
      limits: [{ name: "RATE_LIMIT_READS", value: "100/s" }],
      restoreCheckedAt: null,
    },
  },
  errors: [],
  audit: [],

  async run({ database, serviceState }) {
    return { data: { ...serviceState(), restoreCheckedAt: await lastRestoreCheck(database) } };
  },
});
