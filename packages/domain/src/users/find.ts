import * as z from "zod";
import { externalUserId, identifierFields, type UserIdentifier } from "../identity/identifier.ts";
import { moment, searchedText } from "../input/formats.ts";
import { type ExactlyOne, narrowInput } from "../input/narrow-input.ts";
import { pageFields } from "../input/pagination.ts";
import type { Rule } from "../input/rule.ts";
import { platformIds } from "../platforms/inputs.ts";
import { platformId } from "../platforms/platform.ts";
import { userReference } from "./inputs.ts";

/** What identifies users over several platforms. */
export type SearchedName = UserIdentifier | { externalUserId: string } | { cardAccountId: string };

const names = ["email", "memberId", "externalUserId", "cardAccountId"] as const;

export const findUsersQuery = narrowInput<
  ExactlyOne<{ email: string; memberId: string; externalUserId: string; cardAccountId: string }>
>()(
  z.object({
    platformIds,
    ...identifierFields,
    externalUserId: externalUserId.optional(),
    cardAccountId: searchedText(128).optional(),
  }),
);

export const foundUsers = z
  .object({
    users: z
      .array(
        z.object({
          platformId,
          platformName: z.string(),
          externalUserId: z.string(),
          createdAt: moment,
          erasure: z.enum(["none", "requested", "erased"]),
          held: z.boolean(),
        }),
      )
      .max(200),
  })
  .meta({ id: "FoundUsers" });

/** A user's cards, for operators, who do not know the platform's identifiers. */
export const userCardsQuery = userReference.extend(pageFields);

export const exactlyOneSearched: Rule = {
  id: "exactly-one-searched",
  section: "G37",
  description: "Send exactly one of email, memberId, externalUserId and cardAccountId.",
  check(input) {
    if (names.filter((name) => input[name] !== undefined).length === 1) return [];
    const message = `Identify the user by exactly one of ${names.slice(0, 3).join(", ")} and ${names[3]}.`;
    return [{ path: ["email"], rule: "exactly-one-searched", message }];
  },
  schema: {},
};
