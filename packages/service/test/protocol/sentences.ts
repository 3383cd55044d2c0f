import type { Exploration } from "./explore.ts";

/** The shortest way to a broken promise, as numbered sentences. */
export function sentences({ promise, steps }: NonNullable<Exploration["failure"]>): string {
  const lines = steps.map(({ name, ref, how }, index) => {
    const about = name.includes("the process") && how === "client" ? "the client's attempt" : how;
    return `${index + 1}. Record ${ref}: ${name}${about ? ` (${about})` : ""}.`;
  });
  return [...lines, `Broken: ${promise}.`].join("\n");
}
