import * as z from "zod";
import { moment, nameText } from "../input/formats.ts";
import { listLimit, moreThanLimit } from "../input/pagination.ts";
import type { RawInput, Rule } from "../input/rule.ts";
import { internalPlatformId, platformId } from "../platforms/platform.ts";
import { keyFacts, keyId } from "./key.ts";
import { scope } from "./scopes.ts";

const expiresAt = moment.nullable().optional();

export const createKeyInput = z.object({
  platformId,
  name: nameText.meta({
    description: "What the key is for; of a platform's live keys only a successor shares it.",
  }),
  scopes: z
    .array(scope)
    .min(1)
    .transform((scopes) => [...new Set(scopes)]),
  mode: z.enum(["live", "test"]).optional().meta({ description: "Live where it is left out." }),
  expiresAt,
});

export const rotateKeyInput = z.object({
  keyId,
  overlapHours: z.int().min(0).max(720).default(24),
  expiresAt: expiresAt.meta({
    description: "When the successor expires; null for never. Required where the key itself expires.",
  }),
});

export const keyReference = z.object({ keyId });
export const keyListQuery = z.object({ platformId: platformId.optional(), limit: listLimit(200) });
export const keyPage = z.object({ keys: z.array(keyFacts), more: moreThanLimit });

/** Admin is for internal apps, and the mode for platforms. */
export const keyBelongs: Rule = {
  id: "key-belongs",
  section: "G19",
  description:
    "Only keys of internal apps have the scope admin, and only keys of platforms are live or test ones.",
  check({ platformId, scopes, mode }) {
    const internal = platformId === internalPlatformId;
    const admin = Array.isArray(scopes) && scopes.includes("admin");
    return [
      ...(admin && !internal ? [broken("scopes", "Only a key of an internal app can have admin.")] : []),
      ...(internal && mode !== undefined ? [broken("mode", "A key of an internal app has none.")] : []),
    ];
  },
  schema: {},
};

/** A key that has expired before it is made is a mistake. */
export const expiresLater = (now: () => Date): Rule => ({
  id: "expires-later",
  section: "G19",
  description: "expiresAt is in the future.",
  check: ({ expiresAt }: RawInput) =>
    typeof expiresAt === "string" && Date.parse(expiresAt) <= now().getTime()
      ? [{ path: ["expiresAt"], rule: "expires-later", message: "Send a moment in the future." }]
      : [],
  schema: {},
});

function broken(field: string, message: string) {
  return { path: [field], rule: "key-belongs", message };
}
