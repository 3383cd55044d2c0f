import type { Rewrapped } from "@cardbridge/store";
import type { Report } from "../report.ts";

/** What rewrapping came to: whoever could not be rewrapped is a problem. */
export function rewrapReport(done: Rewrapped, current: number): Report {
  const document = { version: current, ...done };
  const text =
    done.rewrapped === 0 && done.failed === 0
      ? `Every user is under version ${current} already.`
      : `${done.rewrapped} users are under version ${current} now.`;
  const problem =
    done.failed > 0
      ? `${done.failed} users are not: this KEY_RING does not open their data keys, which are left as they are.`
      : undefined;
  return { document, text, problem };
}
