import { expect, it } from "vitest";
import { alarmsOf, type Known } from "../../src/web/home/alarms.ts";

const now = Date.parse("2027-01-31T12:00:00.000Z");
type Breakers = NonNullable<Known["status"]>["provider"]["breakers"];
const statusOf = (breakers: Breakers) => ({ provider: { breakers } }) as unknown as Known["status"];
const pauseThatIs = (state: "active" | "ended") => [{ state }] as unknown as Known["pauses"];
const decided = { count: 0, more: false };
const calm = {
  counts: {
    needsAttention: 0,
    open: 3,
    assignedToMe: 0,
    oldestOpenAt: "2027-01-31T11:00:00.000Z",
    decided: { APPROVED: decided, REJECTED: decided, refused: decided },
    documentExpiry: { expiring: decided, expired: decided },
  },
  status: statusOf({ cards: "closed", kyc: "closed" }),
  health: { endpoints: [], more: false },
  pauses: [],
} satisfies Known;
const textsOf = (known: Partial<Known>) => alarmsOf({ ...calm, ...known }, 4, now).map(({ text }) => text);

it("raises no alarm while all is well, nor about what is not known", () => {
  expect(textsOf({})).toEqual([]);
  expect(textsOf({ counts: undefined, status: undefined, health: undefined, pauses: undefined })).toEqual([]);
});

it("names what needs somebody, the provider first", () => {
  expect(
    textsOf({
      counts: { ...calm.counts, needsAttention: 1_200, oldestOpenAt: "2027-01-31T07:30:00.000Z" },
      status: statusOf({ cards: "open", kyc: "half-open" }),
      health: { endpoints: Array(2), more: false },
      pauses: pauseThatIs("active"),
    }),
  ).toEqual([
    "The provider cannot be reached: calls to it are held back",
    "1 pause is active",
    "The oldest open record waits for 4 h 30 m; the agreed time is 4 h",
    "1,200 records need attention",
    "2 webhook endpoints fail",
  ]);
});

it("takes a pause that ended as no alarm", () => {
  expect(textsOf({ pauses: pauseThatIs("ended") })).toEqual([]);
});

it("says while a provider is tried again", () => {
  expect(textsOf({ status: statusOf({ cards: "half-open" }) })).toEqual([
    "The provider is tried again after errors",
  ]);
});
