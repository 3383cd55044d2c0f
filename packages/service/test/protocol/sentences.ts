import type { Exploration } from "./explore.ts";

/** The shortest way to a broken promise, as numbered sentences. */
export function sentences({ promise, steps }: NonNullable<Exploration["failure"]>): string {
  const lines = steps.map(({ name, ref }, index) => `${index + 1}. Record ${ref}: ${name}.`);
  return [...lines, `Broken: ${promise}.`].join("\n");
}
