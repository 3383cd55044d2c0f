import { describe, expect, it } from "vitest";
import { cardListQuery, exactlyOneIdentifier, parseInput, toPage } from "../../src/index.ts";

function violationsOf(query: unknown) {
  const parsed = parseInput(cardListQuery, [exactlyOneIdentifier], query);
  return parsed.ok ? [] : parsed.violations.map(({ path, rule }) => `${path.join(".")} ${rule}`);
}

describe("the card list query (interface, section 4.1)", () => {
  it("defaults to page 1 with 20 cards", () => {
    expect(cardListQuery.parse({ memberId: "m" })).toEqual({ memberId: "m", page: 1, pageSize: 20 });
  });

  it.each([
    [{}, ["email exactly-one-identifier"]],
    [{ email: "a@b.co", memberId: "m" }, ["email exactly-one-identifier"]],
    [{ email: "a@b.co" }, []],
    [{ memberId: "m" }, []],
    [{ memberId: "" }, ["memberId member-id"]],
    [{ email: "" }, ["email email"]],
    [{ memberId: "m".repeat(65) }, ["memberId member-id"]],
    [{ memberId: "m", page: 0 }, ["page minimum"]],
    [{ memberId: "m", page: 10_001 }, ["page maximum"]],
    [{ memberId: "m", page: 1e20 }, ["page maximum"]],
    [{ memberId: "m", page: 1.5 }, ["page integer"]],
    [{ memberId: "m", pageSize: 101 }, ["pageSize maximum"]],
    [{ memberId: "m", pageSize: "01" }, ["pageSize type"]],
    [{ memberId: "m", status: "" }, ["status raw-value"]],
    [{ memberId: "m", status: "frozen_by_next_year" }, []],
    [{ memberId: "m", page: "x", pageSize: 0, status: 7 }, ["status type", "page type", "pageSize minimum"]],
  ])("validates %j", (query, expected) => {
    expect(violationsOf(query)).toEqual(expected);
  });

  it("computes the number of pages", () => {
    const request = { page: 3, pageSize: 20 };
    expect(toPage({ items: [1], total: 41 }, request)).toEqual({
      items: [1],
      page: 3,
      pageSize: 20,
      total: 41,
      totalPages: 3,
    });
    expect(toPage({ items: [], total: 0 }, request)).toMatchObject({ total: 0, totalPages: 0 });
  });
});
