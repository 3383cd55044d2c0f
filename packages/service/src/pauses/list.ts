import { internalPlatformId, pauseListQuery, pausePage } from "@cardbridge/domain";
import { desc } from "drizzle-orm";
import { pauses } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { platformsOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePause, isActive, namePauses, type PauseRow, selectPauses } from "./pause.ts";

/** Lists the pauses of the provider and of the platforms that the caller may access. */
export const listPauses = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "pauses.list",
  kind: "read",
  summary: "List pauses",
  description:
    "Lists the pauses of the provider and of the platforms that the caller may access, newest first.",
  input: pauseListQuery,
  rules: [],
  output: pausePage,
  example: { input: { active: true }, output: { pauses: [examplePause] } },
  errors: [],
  audit: [],

  async run(ports, call, { active, limit }) {
    const allowed = platformsOf(call);
    // Pauses of the provider concern everyone, and are stored under the platform of the internal apps.
    const visible = allowed === "all" ? allowed : [...allowed, internalPlatformId];
    const rows = await ports.database.asOperators<PauseRow[]>(visible, async (tx) => {
      const found = selectPauses(tx)
        .where(active ? isActive : undefined)
        .orderBy(desc(pauses.pausedAt), desc(pauses.id))
        .limit(limit);
      return pipelineCommit([found], ([rows]) => rows);
    });
    return { data: { pauses: await namePauses(ports, rows) } };
  },
});
