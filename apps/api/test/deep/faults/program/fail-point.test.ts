import { expect, it } from "vitest";
import { parseFailPoint } from "./fail-point.ts";

it("reads a fail-point, its action and the number of its passing", () => {
  expect(parseFailPoint("createOrReplay.committing:kill")).toEqual({
    point: "createOrReplay.committing",
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
  "createOrReplay.before",
  "result.unknown:kill",
  "createOrReplay.before:burn",
  "createOrReplay.before:kill:0",
  "createOrReplay.before:kill:1:1",
])("rejects %j and lists the fail-points and actions", (setting) => {
  expect(() => parseFailPoint(setting)).toThrow(
    /createOrReplay\.committing.*findKyc\.after.*kill, hang, freeze, error/s,
  );
});
