import { METHODS } from "node:http";
import fc from "fast-check";
import { type Mutation, withHeaders } from "./message.ts";
import { bodyMutation } from "./mutations/body.ts";
import { framingMutation } from "./mutations/framing.ts";
import { headerMutation } from "./mutations/headers.ts";
import { keyMutation } from "./mutations/key.ts";
import { targetMutation } from "./mutations/target.ts";

const oddMethods = ["get", "Post", "GETS", "G\tET", "", "POST POST", "PRI", "\u0000", "PO\u00a0ST"];
const overrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"];

/** CONNECT, or a method that Node does not parse, ends the socket. */
const become = (method: string): Mutation => {
  return (message) => ({ ...message, method });
};

const methodMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("GET", "POST", "HEAD", "OPTIONS").map(become) },
  { weight: 2, arbitrary: fc.constantFrom(...METHODS).map(become) },
  { weight: 1, arbitrary: fc.constantFrom(...oddMethods).map(become) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...overrides), fc.constantFrom("GET", "POST", "PUT", "DELETE")).map(
      (header): Mutation =>
        (message) =>
          withHeaders(message, header),
    ),
  },
);

/** Mutations of a request. */
export const mutation = fc.oneof(
  { weight: 2, arbitrary: methodMutation },
  { weight: 4, arbitrary: targetMutation },
  { weight: 4, arbitrary: headerMutation },
  { weight: 3, arbitrary: keyMutation },
  { weight: 4, arbitrary: bodyMutation },
  { weight: 2, arbitrary: framingMutation },
);
