import { gaps } from "@cardbridge/domain";

/** Renders the gap register for callers, without the places in the code. */
export function decisionsPage(): string {
  const head =
    "# Our decisions\n\n" +
    "The interface leaves some questions open. These are our answers. Where the interface speaks, it takes precedence.\n";
  const entries = gaps.map(({ id, question, decision, reason, state }) => {
    const planned = state === "planned" ? "\n\n*Planned.*" : "";
    return `## ${id} · ${question}\n\n${decision}\n\n*Why:* ${reason}${planned}\n`;
  });
  return [head, ...entries].join("\n");
}
