import { describe, expect, it } from "vitest";
import { againstSla, ageWords, relativeTime } from "../../src/web/lib/age.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("an age in words", () => {
  it.each([
    [0, "just now"],
    [59_999, "59 s"],
    [minute, "1 m"],
    [41 * minute, "41 m"],
    [3 * hour + 12 * minute, "3 h 12 m"],
    [3 * hour, "3 h"],
    [24 * hour - 1, "23 h 59 m"],
    [51 * hour, "2 d 3 h"],
    [-5 * minute, "just now"],
  ])("writes %d ms with at most two units", (age, words) => {
    expect(ageWords(age)).toBe(words);
  });

  it("says whether a time is past or to come", () => {
    const now = Date.parse("2026-01-31T12:00:00Z");
    expect(relativeTime("2026-01-31T11:19:00Z", now)).toBe("41 m ago");
    expect(relativeTime("2026-01-31T12:00:30Z", now)).toBe("in 30 s");
    expect(relativeTime("2026-01-31T11:59:58Z", now)).toBe("just now");
  });

  it("compares an age with the agreed hours", () => {
    expect(againstSla(3 * hour, 4)).toBe("within");
    expect(againstSla(3 * hour + 1, 4)).toBe("near");
    expect(againstSla(4 * hour, 4)).toBe("near");
    expect(againstSla(4 * hour + 1, 4)).toBe("over");
  });
});
