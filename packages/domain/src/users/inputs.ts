import * as z from "zod";
import { externalUserId, identifierFields, type UserIdentifier } from "../identity/identifier.ts";
import { email, memberId } from "../input/formats.ts";
import { type ExactlyOne, narrowInput } from "../input/narrow-input.ts";
import type { Rule } from "../input/rule.ts";
import { platformId } from "../platforms/platform.ts";
import { proposedFields, proposedResult } from "../proposals/proposal.ts";
import { userFacts } from "./user.ts";

/** Identifies a user by one of the platform's identifiers or by our id. */
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

/** Both of the platform's identifiers of a user. */
export type UserNames = { memberId: string; email: string };

/** The identifiers to replace. */
export type NewNames = { [name in keyof UserNames]?: string | undefined };

export const relinkUserInput = userReference.extend({ ...identifierFields, ...proposedFields });

export const eraseUserInput = userReference.extend(proposedFields);

/** A user after an act that needs two persons, or unchanged with the proposal. */
export const changedUser = userFacts.extend(proposedResult).meta({ id: "ChangedUser" });

/** The memberId identifies the user. The e-mail replaces the user's current e-mail. */
export const changeEmailInput = z.object({ memberId, email }).meta({ id: "EmailChange" });

/** A relink replaces at least one identifier. */
export const someNewName: Rule = {
  id: "some-new-name",
  section: "G17",
  description: "Send email, memberId or both.",
  check({ email, memberId }) {
    if (email !== undefined || memberId !== undefined) return [];
    const message = "Send a new e-mail, a new member id, or both.";
    return [{ path: ["email"], rule: "some-new-name", message }];
  },
  schema: {},
};

/** A user is identified by exactly one value. */
export const exactlyOneName: Rule = {
  id: "exactly-one-name",
  section: "G17",
  description: "Send exactly one of email, memberId and externalUserId.",
  check(input) {
    const sent = ["email", "memberId", "externalUserId"].filter((name) => input[name] !== undefined);
    if (sent.length === 1) return [];
    const message = "Identify the user by exactly one of email, memberId and externalUserId.";
    return [{ path: ["externalUserId"], rule: "exactly-one-name", message }];
  },
  schema: {},
};
