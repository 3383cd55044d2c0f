import * as z from "zod";
import type { Violation } from "./violations.ts";

/** The maximum number of violations in a response. A request can have thousands. */
const maxErrors = 100;

/** One violation, or one reason of a refusal. */
export const errorBody = z.object({
  path: z.string().meta({
    description:
      "The invalid input: a parameter's or a header's name, or a JSON Pointer into the body; empty if it is not a " +
      "single input.",
  }),
  rule: z.string().meta({ description: "The id of the violated rule. Tolerate new ids." }),
  message: z.string().meta({ description: "How to correct the input." }),
});

/** The field with the violations of a request. */
export function errorsOf<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .max(maxErrors)
    .meta({
      description:
        `All violations of the request, up to ${maxErrors}, or the reasons of a refusal (KYC_REFUSED) with their ` +
        "codes as rules; empty for other errors. Of a list that is too long, only the items up to its limit are checked.",
    });
}

/** The fields with the violations of a request, for error bodies and validations. */
export const errorFields = {
  errors: errorsOf(errorBody),
  omittedErrors: z
    .int()
    .min(1)
    .optional()
    .meta({ description: `The number of further violations, if there are more than ${maxErrors}.` }),
};

/** Converts violations into these fields. `writePath` formats a path in the transport's notation. */
export function toErrorBody(
  violations: readonly Violation[],
  writePath: (path: Violation["path"]) => string,
): { errors: z.output<typeof errorBody>[]; omittedErrors?: number } {
  const omitted = violations.length - maxErrors;
  return {
    errors: violations.slice(0, maxErrors).map(({ path, header, rule, message }) => ({
      path: header ?? writePath(path),
      rule,
      message,
    })),
    ...(omitted > 0 ? { omittedErrors: omitted } : {}),
  };
}
