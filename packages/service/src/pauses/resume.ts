import { pause, resumeInput } from "@cardbridge/domain";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { pauses } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePause, namePause, type PauseRow, pauseConflict, selectPauses } from "./pause.ts";

/** Ends a pause. */
export const resumePause = defineOperation({
  ...forOperators("ops.pauses"),
  id: "pauses.resume",
  kind: "write",
  summary: "Resume after a pause",
  description: "Ends a pause. RESOLVE_PER_SECOND bounds how fast workers send what was stored.",
  input: resumeInput,
  rules: [],
  output: pause,
  example: {
    input: { pauseId: examplePause.pauseId },
    output: {
      ...examplePause,
      state: "ended",
      resumedBy: examplePause.pausedBy,
      resumedAt: "2027-01-31T13:00:00.000Z",
    },
  },
  errors: ["PAUSE_NOT_FOUND", "PAUSE_CONFLICT"],
  // `run` audits in its transaction.
  audit: [],

  async run(ports, call, { pauseId }) {
    const isThis = and(eq(pauses.platformId, call.platformId), eq(pauses.id, pauseId));
    const resumed = await ports.database.asPlatform<PauseRow>(call.platformId, async (tx) => {
      const ended = await tx
        .update(pauses)
        .set({ endedAt: sql`now()`, resumedBy: actorOf(call) })
        .where(and(isThis, isNull(pauses.endedAt), gt(pauses.until, sql`now()`)))
        .returning({ id: pauses.id });
      if (ended.length === 0) throw pauseConflict("pauseId", "The pause has ended.");
      return pipelineCommit([audit(tx, call, pauseId), selectPauses(tx).where(isThis)], ([, rows]) =>
        requireRow(rows, "pause"),
      );
    });
    return { data: await namePause(ports, resumed) };
  },
});
