import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { personId } from "../identity/person-id.ts";
import { moment, nameText } from "../input/formats.ts";
import { listLimit, moreThanLimit } from "../input/pagination.ts";
import type { RawInput, Rule } from "../input/rule.ts";
import { internalPlatformId, platformId } from "../platforms/platform.ts";
import { keyFacts, keyId } from "./key.ts";
import { isOperatorScope, scope } from "./scopes.ts";

/** The longest life of a key of an internal app that is not made at the command line, in days. */
export const maxInternalKeyDays = 90;

/** The life of a new key whose caller does not say when it expires, in days. */
export const defaultKeyDays = 365;

const expiresAt = moment
  .nullable()
  .optional()
  .meta({
    description: `When the key expires; null for never, by default after ${defaultKeyDays} days. Over tRPC, a key of an internal app expires within ${maxInternalKeyDays} days, which is then also the default.`,
  });

export const createKeyInput = z.object({
  platformId,
  name: nameText.meta({
    description:
      "The key's purpose. Live keys of a platform have different names, except a key and its successor.",
  }),
  scopes: z
    .array(scope)
    .min(1)
    .max(scope.options.length)
    .transform((scopes) => [...new Set(scopes)])
    .meta({
      description:
        "The key's permissions. Only keys of internal apps can have the scopes of operators, which begin with ops.",
    }),
  expiresAt,
});

export const rotateKeyInput = z.object({
  keyId,
  overlapHours: z
    .int()
    .min(0)
    .max(720)
    .default(24)
    .meta({ description: "The number of hours that the old key still works." }),
  expiresAt: expiresAt.meta({
    description: `When the successor expires; null for never. By default it expires after ${defaultKeyDays} days if the key itself expires, else never. Over tRPC, a key of an internal app expires within ${maxInternalKeyDays} days, which is then also the default.`,
  }),
});

export const keyReference = z.object({ keyId });
export const keyListQuery = z.object({
  platformId: platformId.optional(),
  state: keyFacts.shape.state.optional(),
  createdBy: personId.optional().meta({ description: "Lists only keys that this person made." }),
  expiresWithinDays: z.int().min(0).max(3_650).optional().meta({
    description: "Lists only live keys that expire within this number of days.",
  }),
  unusedDays: z.int().min(0).max(3_650).optional().meta({
    description: "Lists only live keys without a call for this number of days.",
  }),
  limit: listLimit(200),
});

const listedKey = keyFacts.extend({
  maker: namedPerson
    .nullable()
    .meta({ description: "The person who made the key; null for the command line." }),
});
export const keyPage = z.object({ keys: z.array(listedKey), more: moreThanLimit });

/** The scopes of operators are for internal apps. */
export const keyBelongs: Rule = {
  id: "key-belongs",
  section: "G19",
  description: "Only keys of internal apps have scopes of operators.",
  check({ platformId, scopes }) {
    if (platformId === internalPlatformId || !Array.isArray(scopes)) return [];
    const refused = scopes.filter(isOperatorScope);
    const message = `Only keys of internal apps can have ${refused.join(", ")}.`;
    return refused.length === 0 ? [] : [{ path: ["scopes"], rule: "key-belongs", message }];
  },
  schema: {},
};

/** A new key must not be expired already. */
export const expiresLater = (now: () => Date): Rule => ({
  id: "expires-later",
  section: "G19",
  description: "expiresAt is in the future.",
  check: ({ expiresAt }: RawInput) =>
    typeof expiresAt === "string" && Date.parse(expiresAt) <= now().getTime()
      ? [{ path: ["expiresAt"], rule: "expires-later", message: "Send a date in the future." }]
      : [],
  schema: {},
});
