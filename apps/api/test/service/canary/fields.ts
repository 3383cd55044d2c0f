import { expect, it } from "vitest";
import { bindings } from "../../support/bindings.ts";
import { needsPerson } from "../../support/operator-scopes.ts";
import type { Canary } from "./canary.ts";
import { wrongInputs } from "./wrong-inputs.ts";

/** Sends a mark in every field of every operation. Only that field is invalid. */
export function sendEveryField({ services, marks, call }: Canary): void {
  const callable = bindings.filter(({ operation }) => !needsPerson(operation));
  it.each(callable)("inputs of $operation.id over $transport with each field wrong", async (binding) => {
    const { id, input: schema, example } = binding.operation;
    const base = id === "kyc.submit" ? marks.submission() : example.input;
    const wrong = wrongInputs({ schema, input: base as object, mark: marks.next, isText: binding.isText });
    for (const [name, input] of wrong) {
      const { path, ...request } = binding.request(input as Record<string, unknown>);
      const key = binding.operation.reach !== undefined ? services().keys.admin : services().keys.first;
      expect([name, await call(`${id}, ${name}`, { path, ...request }, key)]).toEqual([name, 400]);
    }
  });
}
