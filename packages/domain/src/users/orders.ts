import { z } from "zod";
import { identifierFields, type UserIdentifier } from "../identity.ts";
import { platformId } from "../keys/platform.ts";
import type { Rule } from "../rule.ts";
import { externalUserId } from "./user.ts";

/** How people name a user: as the platform does, or by our own id. */
export type UserName = UserIdentifier | { externalUserId: string };

export const userQuery = z.object({
  platformId,
  ...identifierFields,
  externalUserId: externalUserId.optional(),
});

export const userReference = z.object({ platformId, externalUserId });

/** One user is meant, so one name is given. */
export const exactlyOneName: Rule = {
  id: "exactly-one-name",
  section: "G17",
  words: "Exactly one of email, memberId and externalUserId is given.",
  check(input) {
    const given = ["email", "memberId", "externalUserId"].filter((name) => input[name] !== undefined);
    if (given.length === 1) return [];
    const message = "Name the user once: by the e-mail, the member id, or the externalUserId.";
    return [{ path: ["externalUserId"], rule: "exactly-one-name", message }];
  },
  schema: {},
};
