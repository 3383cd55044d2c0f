import { expect, it } from "vitest";
import { parseFailPoint } from "./fail-point.ts";

it("reads a fail-point, its action and the number of its passing", () => {
  expect(parseFailPoint("claim.committing:kill")).toEqual({
    point: "claim.committing",
    action: "kill",
    passing: 1,
  });
  expect(parseFailPoint("findKyc.after:hang:12")).toEqual({
    point: "findKyc.after",
    action: "hang",
    passing: 12,
  });
});

it.each([
  "",
  "claim.before",
  "claim.unknown:kill",
  "claim.before:burn",
  "claim.before:kill:0",
  "claim.before:kill:1:1",
])("refuses %j and lists what there is", (setting) => {
  expect(() => parseFailPoint(setting)).toThrow(
    /claim\.committing.*findKyc\.after.*kill, hang, freeze, error/s,
  );
});
