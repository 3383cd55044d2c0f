import { gaps } from "./register.ts";

/** Renders the register as the Markdown page docs/gaps.md. */
export function gapsPage(): string {
  const head =
    "# The gap register\n\n" +
    "The interface marks what it does not show. This register answers each such question: **our decision, not the\n" +
    "interface's**. The interface takes precedence. `pnpm docs:gaps` generates this page from\n" +
    "`packages/domain/src/gaps/register.ts`, and a test compares them.\n";
  const entries = gaps.map(
    ({ id, question, decision, reason, seam, state }) =>
      `## ${id} · ${question}\n\n${decision}\n\n- Why: ${reason}\n- Change it: ${seam}\n- State: ${state}\n`,
  );
  return [head, ...entries].join("\n");
}
