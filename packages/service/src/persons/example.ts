import type { PersonFacts } from "@cardbridge/domain";

export const examplePerson: PersonFacts = {
  personId: "per_01jexample0000000000000000",
  name: "Ada",
  roles: ["support"],
  firstSeenAt: "2026-01-30T09:00:00.000Z",
  lastSeenAt: "2026-01-31T12:00:00.000Z",
  blockedAt: null,
};
