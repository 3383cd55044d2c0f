import type { Rate } from "@cardbridge/domain";
import { createAddressRules } from "@cardbridge/egress";
import { parseKeyRing } from "@cardbridge/service/database";
import * as z from "zod";

/** A whole number within bounds. */
export const wholeNumber = (min: number, max: number) => {
  const error = `Set a whole number from ${min} to ${max}.`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};

/** A rate in the configuration: `600/60`, or `unlimited`. */
export type ConfiguredRate = Rate | "unlimited";

/** Calls per seconds, such as 600/60. */
export const rate = z
  .string()
  .regex(
    /^(unlimited|[1-9][0-9]{0,6}\/[1-9][0-9]{0,4})$/,
    "Set calls per seconds such as 600/60, or unlimited.",
  )
  .transform((text): ConfiguredRate => {
    if (text === "unlimited") return text;
    const [calls = 0, seconds = 0] = text.split("/").map(Number);
    return { calls, seconds };
  });

/** Values separated by commas. */
export const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((part) => part.trim() || []));

/** CIDRs separated by commas, such as 10.1.0.0/16. */
export const networks = list.refine(
  areNetworks,
  "Set networks such as 10.1.0.0/16 or fd00:1::/64, separated by commas.",
);

/** A key ring. Its error message never contains the value. */
export const keyRing = z.string().transform((text, context) => {
  try {
    return parseKeyRing(text);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : "It is invalid.");
    return z.NEVER;
  }
});

/** A URL with one of these schemes, such as `https:`. */
export const url = (...schemes: string[]) =>
  z.string().refine((text) => schemes.includes(schemeOf(text)), {
    error: `Set a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}.`,
  });

/** What to set instead of a URL with several hosts, which the driver cannot read; undefined for other URLs. */
export function severalHosts(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\/[^/]*,/.test(text)) return undefined;
  return "Set one host. For several servers, set the address of a proxy or a name that leads to the primary.";
}

/** A URL of PostgreSQL. */
export const databaseUrl = z.string().superRefine((text, context) => {
  const problem =
    severalHosts(text) ??
    (["postgres:", "postgresql:"].includes(schemeOf(text))
      ? undefined
      : "Set a URL that starts with postgres:// or postgresql://.");
  if (problem !== undefined) context.addIssue(problem);
});

const originPolicies = ["public", "uploads", "any"] as const;

/** Which file URLs are accepted: one of the names, or origins separated by commas. */
export const fileOrigins = z.union(
  [
    z.enum(originPolicies),
    list
      .refine((parts) => parts.length > 0 && parts.every(isOrigin))
      .transform((parts) => parts.map((part) => new URL(part).origin)),
  ],
  `Set ${originPolicies.join(", ")}, or origins such as https://files.example.com, without a path.`,
);

function areNetworks(cidrs: readonly string[]): boolean {
  try {
    createAddressRules({ allowedNetworks: cidrs });
    return true;
  } catch {
    return false;
  }
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

function schemeOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : "";
}
