import { expect, it } from "vitest";
import { requeueRecords } from "../../src/records/requeue-many.ts";
import { callOf, operatorCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Ports that requeue anything, and what they were asked for. */
function requeueing() {
  const asked: unknown[][] = [];
  const { ports } = fakePorts();
  ports.platforms.find = (platformId) => (platformId === "plt_9" ? null : { platformId });
  ports.kycAdmin.requeueMany = async (...call) => {
    asked.push(call.slice(0, 3));
    return { matching: 3, requeued: 2, more: true };
  };
  return { ports, asked };
}
const person = {
  personId: "per_ada",
  roles: [],
  platforms: ["plt_1", "plt_2"],
  authenticatedAt: null,
  expiresAt: new Date(0),
};
const app = { ...callOf("internal", { scopes: ["ops.records.act"] }), person };

it("a preview only counts", async () => {
  const { ports, asked } = requeueing();
  const createdAfter = "2027-01-31T12:00:00.000Z";
  await requeueRecords.execute(ports, operatorCall, { preview: true, createdAfter });
  await requeueRecords.execute(ports, operatorCall, { preview: false });
  expect(asked).toEqual([
    ["all", { createdAfter }, 0],
    ["all", {}, 100],
  ]);
});

it("a person reaches their platforms only", async () => {
  const { ports, asked } = requeueing();
  await requeueRecords.execute(ports, app, { preview: false, limit: 5 });
  await requeueRecords.execute(ports, app, { preview: false, limit: 5, platformIds: ["plt_2"] });
  expect(asked.map(([platforms]) => platforms)).toEqual([["plt_1", "plt_2"], ["plt_2"]]);
  for (const platformId of ["plt_3", "plt_9"]) {
    const call = requeueRecords.execute(ports, app, { preview: false, platformIds: [platformId] });
    await expect(call).rejects.toMatchObject({ code: "PLATFORM_NOT_FOUND" });
  }
});

it.each([{}, { preview: false, limit: 0 }, { preview: false, limit: 201 }])("refuses %j", async (input) => {
  const { ports, asked } = requeueing();
  const call = requeueRecords.execute(ports, operatorCall, input);
  await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(asked).toEqual([]);
});
