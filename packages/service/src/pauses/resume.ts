import { Failure, pause, resumeInput } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePause } from "./example.ts";

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
  // The repository audits in its transaction.
  audit: [],

  async run({ pauses }, call, { pauseId }) {
    const data = await pauses.resume(pauseId, originOf(call, "pauses.resume"));
    if (!data) throw new Failure("PAUSE_NOT_FOUND");
    return { data };
  },
});
