import * as z from "zod";

/* The formats of OpenTelemetry's standard variables. */

export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplers)[number];

/** Pairs such as `team=cards,region=eu`, with values in percent-encoding. The error never contains a value. */
export const pairs = z
  .string()
  .default("")
  .transform((text, context): Record<string, string> => {
    try {
      const parts = text.split(",").flatMap((part) => part.trim() || []);
      return Object.fromEntries(parts.map(pairOf));
    } catch {
      context.addIssue("Set pairs such as name=value, separated by commas, with values in percent-encoding.");
      return z.NEVER;
    }
  });

function pairOf(part: string): [string, string] {
  const at = part.indexOf("=");
  if (at < 1) throw new TypeError("A pair has a name.");
  return [part.slice(0, at).trim(), decodeURIComponent(part.slice(at + 1).trim())];
}

/** `true` or `false`, in any case. */
export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["true", "false"]))
  .default("false")
  .transform((text) => text === "true");

/** A fraction from 0 to 1. */
export const share = z.coerce
  .number({ error: "Set a number from 0 to 1." })
  .min(0, { error: "Set a number from 0 to 1." })
  .max(1, { error: "Set a number from 0 to 1." });
