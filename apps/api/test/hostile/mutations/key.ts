import fc from "fast-check";
import { demoKeys, generateApiKey } from "../../../src/admission/api-key.ts";
import { keys } from "../keys.ts";
import { type Mutation, withHeaders, without } from "../message.ts";
import { nastyText } from "../nasty-text.ts";

const bearer = (key: string, hasKey = false): Mutation => instead(`Bearer ${key}`, hasKey);

function instead(value: string, hasKey = false): Mutation {
  return (message) => withHeaders({ ...without(message, "authorization"), hasKey }, ["Authorization", value]);
}

export const keyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Mutation>(
      (message) => ({ ...without(message, "authorization"), hasKey: false }),
      bearer(demoKeys.second, true),
      bearer(keys.whole.key, true),
      bearer(keys.internal.key, true),
      bearer(keys.scopeless.key),
      bearer(keys.expired.key),
      bearer(keys.revoked.key),
      bearer(demoKeys.first.slice(0, -1)),
      bearer(demoKeys.first.toLowerCase()),
      bearer(`${demoKeys.first},${demoKeys.second}`),
      instead(demoKeys.first),
      instead(`Basic ${btoa(`${demoKeys.first}:`)}`),
      instead("Bearer"),
      instead(`bearer  ${demoKeys.first}`, true),
    ),
  },
  { weight: 1, arbitrary: fc.constant(bearer(generateApiKey("test"))) },
  { weight: 2, arbitrary: nastyText.map((text) => bearer(text)) },
);
