import fc from "fast-check";
import { bodyMutation } from "./mutations/body.ts";
import { framingMutation } from "./mutations/framing.ts";
import { headerMutation } from "./mutations/headers.ts";
import { keyMutation } from "./mutations/key.ts";
import { methodMutation } from "./mutations/method.ts";
import { targetMutation } from "./mutations/target.ts";

/** Mutations of a request. */
export const mutation = fc.oneof(
  { weight: 2, arbitrary: methodMutation },
  { weight: 4, arbitrary: targetMutation },
  { weight: 4, arbitrary: headerMutation },
  { weight: 3, arbitrary: keyMutation },
  { weight: 4, arbitrary: bodyMutation },
  { weight: 2, arbitrary: framingMutation },
);
