import { gaps } from "./register.ts";

/** The register as the Markdown page docs/gaps.md. */
export function gapsPage(): string {
  const head =
    "# The gap register\n\n" +
    "The interface marks what it does not show. Each such question is answered here once: **our decision, not the\n" +
    "interface's**. Where the interface speaks, it wins. This page is made from `packages/domain/src/gaps/register.ts` by\n" +
    "`pnpm docs:gaps`, and a test holds the two together.\n";
  const entries = gaps.map(
    ({ id, question, decision, reason, seam, state }) =>
      `## ${id} · ${question}\n\n${decision}\n\n- Why: ${reason}\n- Change it: ${seam}\n- State: ${state}\n`,
  );
  return [head, ...entries].join("\n");
}
