import { expect, type TestContext } from "vitest";
import type { Drill, Outcome } from "./drill.ts";
import { reasonNotToRun } from "./programs.ts";

/** Runs a drill as a test: it fails if a promise is violated, and reports that it did not run with the reason. */
export async function runDrill(
  drill: Drill,
  size: number,
  { skip }: TestContext,
  report: (outcome: Outcome | string) => void = () => {},
): Promise<void> {
  const outcome = reasonNotToRun(drill.needs) ?? (await drill.run(size));
  report(outcome);
  if (typeof outcome === "string") return skip(outcome);
  expect(outcome.violations).toEqual([]);
}
