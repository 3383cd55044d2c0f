import { currentPerson, Failure, isOperatorScope, maxSignInAgeSeconds } from "@cardbridge/domain";
import * as z from "zod";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePerson } from "./example.ts";

const { personId, name, roles } = examplePerson;

/** Shows the person of the call. */
export const showCurrentPerson = defineOperation({
  ...forOperators("ops.records.read", "ops.users.read", "ops.platforms", "ops.keys", "ops.audit"),
  // The command line has no person.
  actors: ["internal"],
  reach: "platforms",
  id: "persons.me",
  kind: "read",
  summary: "Show the current person",
  description: "Shows the person of the call, and what the key and the person's roles allow together.",
  input: z.object({}),
  rules: [],
  output: currentPerson,
  example: {
    input: {},
    output: {
      personId,
      name,
      roles,
      scopes: ["ops.records.read", "ops.records.act", "ops.users.read"],
      platforms: [{ platformId: "plt_01jexample0000000000000000", name: "Example Ltd" }],
      allPlatforms: false,
      signInRequiredAt: "2026-01-31T12:15:00.000Z",
      expiresAt: "2026-01-31T13:00:00.000Z",
    },
  },
  errors: ["PERSON_REQUIRED"],
  audit: [],

  async run({ persons }, { person, scopes }) {
    if (!person) throw new Failure("PERSON_REQUIRED");
    const { personId, roles, platforms, authenticatedAt, expiresAt } = person;
    const [named] = await persons.names([personId]);
    const recentUntil = (authenticatedAt?.getTime() ?? 0) + maxSignInAgeSeconds * 1_000;
    return {
      data: {
        personId,
        name: named?.name ?? null,
        roles: [...roles],
        scopes: [...scopes].filter(isOperatorScope),
        platforms: await persons.platforms(platforms),
        allPlatforms: platforms === "all",
        signInRequiredAt: recentUntil > Date.now() ? new Date(recentUntil).toISOString() : null,
        expiresAt: expiresAt.toISOString(),
      },
    };
  },
});
