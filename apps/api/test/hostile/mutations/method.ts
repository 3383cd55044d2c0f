import { METHODS } from "node:http";
import fc from "fast-check";
import { type Mutation, withHeaders } from "../message.ts";

const odd = ["get", "Post", "GETS", "G\tET", "", "POST POST", "PRI", "\u0000", "PO\u00a0ST"];

export const methodMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("GET", "POST", "HEAD", "OPTIONS").map(become) },
  { weight: 2, arbitrary: fc.constantFrom(...METHODS).map(become) },
  { weight: 1, arbitrary: fc.constantFrom(...odd).map(become) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"),
        fc.constantFrom("GET", "POST", "PUT", "DELETE"),
      )
      .map(
        (header): Mutation =>
          (message) =>
            withHeaders(message, header),
      ),
  },
);

/** CONNECT, or a method that Node does not parse, ends the socket. */
function become(method: string): Mutation {
  return (message) => ({ ...message, method });
}
