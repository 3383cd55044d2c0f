import * as z from "zod";
import { identifierFields, type UserIdentifier } from "../identity/identifier.ts";
import { type ExactlyOne, narrowInput } from "../input/narrow-input.ts";
import type { Rule } from "../input/rule.ts";
import { platformId } from "../platforms/platform.ts";
import { externalUserId } from "./user.ts";

/** How people name a user: as the platform does, or by our own id. */
export type UserName = UserIdentifier | { externalUserId: string };

export const userQuery = narrowInput<
  ExactlyOne<{ email: string; memberId: string; externalUserId: string }>
>()(
  z.object({
    platformId,
    ...identifierFields,
    externalUserId: externalUserId.optional(),
  }),
);

export const userReference = z.object({ platformId, externalUserId });

/** Both names of a user, as the platform gave them. */
export type UserNames = { memberId: string; email: string };

/** Those of them that are to be others. */
export type NewNames = { [name in keyof UserNames]?: string | undefined };

export const relinkUserInput = userReference.extend(identifierFields);

/** Nobody relinks a user to nothing. */
export const someNewName: Rule = {
  id: "some-new-name",
  section: "G17",
  description: "email, memberId or both are given.",
  check({ email, memberId }) {
    if (email !== undefined || memberId !== undefined) return [];
    const message = "Give the user another e-mail, another member id, or both.";
    return [{ path: ["email"], rule: "some-new-name", message }];
  },
  schema: {},
};

/** One user is meant, so one name is given. */
export const exactlyOneName: Rule = {
  id: "exactly-one-name",
  section: "G17",
  description: "Exactly one of email, memberId and externalUserId is given.",
  check(input) {
    const given = ["email", "memberId", "externalUserId"].filter((name) => input[name] !== undefined);
    if (given.length === 1) return [];
    const message = "Name the user once: by the e-mail, the member id, or the externalUserId.";
    return [{ path: ["externalUserId"], rule: "exactly-one-name", message }];
  },
  schema: {},
};
