import { describe, expect, it } from "vitest";
import { compare } from "../../src/web/proposals/compare.ts";

type Proposal = Parameters<typeof compare>[0];
const free = { erasure: "none", held: false } as const;
const erase: Proposal = { kind: "erase", state: "open", whenProposed: free, now: free };
const waiting = { resolution: "unresolved", status: null, needsAttentionSince: null } as const;

describe("what a proposal is about, then and now", () => {
  it.each<[string, Partial<Proposal>, [then: string, now: string, text: string]]>([
    ["nothing changed", {}, ["active", "active", "Nothing has changed since."]],
    [
      "a hold was placed, and the proposal was read before",
      { now: { ...free, held: true } },
      ["active", "active · legal hold", "It has changed since, so a confirmation is refused."],
    ],
    [
      "it was held then too",
      { whenProposed: { ...free, held: true }, now: { ...free, held: true } },
      ["active · legal hold", "active · legal hold", "Nothing has changed since."],
    ],
    [
      "the service says that it is void",
      { state: "void" },
      ["active", "active", "Identifiers or verifications have changed since, so a confirmation is refused."],
    ],
    ["the hold to lift is active", { kind: "liftHold" }, ["active", "active", "Nothing has changed since."]],
    [
      "the hold to lift is over",
      { kind: "liftHold", state: "void" },
      ["active", "ended", "It has changed since, so a confirmation is refused."],
    ],
  ])("%s", (_name, fields, [then, now, text]) => {
    expect(compare({ ...erase, ...fields }, undefined)).toMatchObject({ then, now, text });
  });

  it("has the record's state in the words of the record", () => {
    const approve: Proposal = { ...erase, kind: "approve" };
    expect(compare(approve, undefined)).toBeUndefined();
    expect(compare(approve, waiting)).toMatchObject({ now: "no answer of the provider", isMoved: false });
    const decided = { resolution: "answered", status: "REJECTED", needsAttentionSince: null } as const;
    expect(compare(approve, decided)).toMatchObject({ now: "Rejected", isMoved: true });
  });
});
