import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkExpiry, firstCheck, neverChecked } from "../../src/index.ts";

const notice = 60;
const at = (time: string) => new Date(time);
const check = (documentExpiryDate: string, time: string) =>
  checkExpiry({ documentExpiryDate }, at(time), notice);

describe("a document", () => {
  it("expires when its date ends in the latest time zone, which is noon UTC of the next day", () => {
    const state = (time: string) => check("2027-03-31", time).documentExpiry;
    expect(state("2027-04-01T11:59:59.999Z")).toBe("expiring");
    expect(state("2027-04-01T12:00:00.000Z")).toBe("expired");
    expect(state("2027-01-31T11:59:59.999Z")).toBe("valid");
    expect(state("2027-01-31T12:00:00.000Z")).toBe("expiring");
  });

  it("expires after February 29 and at the end of the calendar", () => {
    expect(check("2028-02-29", "2028-03-01T11:59:59.999Z").documentExpiry).toBe("expiring");
    expect(check("2028-02-29", "2028-03-01T12:00:00.000Z").documentExpiry).toBe("expired");
    expect(check("9999-12-31", "2027-01-01T00:00:00.000Z")).toEqual({
      documentExpiry: "valid",
      checkAt: at("9999-11-01T00:00:00.000Z"),
    });
  });

  it("without a date is permanent or unknown, and no worker looks at it again", () => {
    const now = at("2027-01-01T00:00:00Z");
    expect(checkExpiry({ documentPermanentlyValid: true }, now, notice)).toEqual({
      documentExpiry: "permanent",
      checkAt: null,
    });
    expect(checkExpiry({}, now, notice)).toEqual({ documentExpiry: null, checkAt: null });
  });
});

describe("the next look at a date", () => {
  it("is the first day of the month of the next change, and then noon of each of its days", () => {
    const looks = (time: string) => check("2027-03-31", time).checkAt?.toISOString() ?? null;
    expect(looks("2026-06-15T09:00:00Z")).toBe("2027-01-01T00:00:00.000Z");
    expect(looks("2027-01-01T00:00:00Z")).toBe("2027-01-01T12:00:00.000Z");
    expect(looks("2027-01-01T12:00:00Z")).toBe("2027-01-02T12:00:00.000Z");
    expect(looks("2027-01-31T12:00:00Z")).toBe("2027-04-01T00:00:00.000Z");
    expect(looks("2027-04-01T03:00:00Z")).toBe("2027-04-01T12:00:00.000Z");
    expect(looks("2027-04-01T12:00:00Z")).toBeNull();
  });

  it("finds each change at the moment when it happens, and never reveals a day outside its month", () => {
    const day = fc.date({ min: at("2026-01-01"), max: at("2090-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(day, day, fc.integer({ min: 1, max: 365 }), (date, start, noticeDays) => {
        const document = { documentExpiryDate: date.toISOString().slice(0, 10) };
        const expiresAt = Date.parse(document.documentExpiryDate) + 36 * 3_600_000;
        const changes = [expiresAt - noticeDays * 86_400_000, expiresAt].filter(
          (one) => one > start.getTime(),
        );
        for (let time: Date | null = start; time !== null; ) {
          const { checkAt } = checkExpiry(document, time, noticeDays);
          if (checkAt === null) break;
          expect(checkAt.getTime()).toBeGreaterThan(time.getTime());
          const next = changes[0] ?? 0;
          const isFirst = checkAt.toISOString().endsWith("-01T00:00:00.000Z");
          const isDaily = checkAt.toISOString().endsWith("T12:00:00.000Z");
          expect(isFirst || isDaily).toBe(true);
          expect(checkAt.toISOString().slice(0, 7) <= new Date(next).toISOString().slice(0, 7)).toBe(true);
          expect(checkAt.getTime()).toBeLessThanOrEqual(next);
          if (checkAt.getTime() === next) changes.shift();
          time = checkAt;
        }
        expect(changes).toEqual([]);
      }),
    );
  });

  it("of a new record is at once if its document expires, because the event follows the approval", () => {
    const now = at("2027-03-15T00:00:00Z");
    const first = (documentExpiryDate: string) => firstCheck({ documentExpiryDate }, now, notice);
    expect(first("2027-03-31")).toEqual({ documentExpiry: "expiring", checkAt: neverChecked });
    expect(first("2020-01-01")).toEqual({ documentExpiry: "expired", checkAt: neverChecked });
    expect(first("2030-06-15")).toEqual({ documentExpiry: "valid", checkAt: at("2030-04-01T00:00:00Z") });
    expect(firstCheck({ documentPermanentlyValid: true }, now, notice).checkAt).toBeNull();
  });
});
