import fc from "fast-check";
import { z } from "zod";
import { demoKeys } from "../../src/admission/api-key.ts";
import { type Binding, batches, bindings, exampleOf } from "./calls.ts";
import { inputMutation } from "./inputs.ts";
import { keys, lacking, platformId } from "./keys.ts";
import { type Message, wholeMessage } from "./message.ts";
import { mutation } from "./mutations.ts";

/** A request of any operation, with up to two mutations of its input and three of its message. */
export const hostileMessage: fc.Arbitrary<Message> = fc
  .record({
    binding: fc.constantFrom(...bindings, ...batches),
    person: fc.nat(300),
    inputs: fc.array(inputMutation, { maxLength: 2 }),
    mutations: fc.array(mutation, { maxLength: 3 }),
  })
  .map(({ binding, person, inputs, mutations }) => {
    const input = inputs.reduce<unknown>((value, change) => change(value), {
      ...exampleOf(binding.operation, person),
      ...(person % 2 && named(binding)),
    });
    const whole = wholeMessage({
      operation: binding.name,
      ...binding.write(input),
      headers: [
        ["Authorization", `Bearer ${keyFor(binding)}`],
        ["Content-Type", binding.contentType],
      ],
      hasKey: true,
    });
    return mutations.reduce((value, change) => change(value), whole);
  });

/** A pause would refuse the other requests, so the key of its operations lacks the scope. */
function keyFor({ operation: { id, reach } }: Binding): string {
  if (reach === undefined) return demoKeys.first;
  return (id.startsWith("pauses.") ? (lacking.get("ops.pauses") ?? keys.internal) : keys.internal).key;
}

/** An existing platform, for operations on a platform. */
function named({ operation: { input } }: Binding) {
  return input instanceof z.ZodObject && "platformId" in input.shape ? { platformId } : {};
}
