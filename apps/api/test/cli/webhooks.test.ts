import { afterAll, beforeAll, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** `cardbridge webhooks` on the database of a service. */
let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false });
});
afterAll(() => world.stop());

const platform = ["--platform", "plt_demo_one"];
const webhooks = (...args: string[]) => runCommand(["webhooks", ...args, ...platform], world.env);
const json = async (...args: string[]) => JSON.parse((await webhooks(...args, "--json")).stdout);

it("creates an endpoint, shows what was delivered to it, and deletes it", async () => {
  const url = "https://hooks.example.com/";
  const created = await webhooks("create", "--url", url, "--events", "kyc.updated", "card.updated");
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) });
  const [endpointId = ""] = /whe_[0-9a-z]{26}/.exec(created.stderr) ?? [];
  expect(created.stderr).not.toContain(created.stdout.trim());

  const { body } = await restSubmit(world.caller(), newSubmission());
  const { kycRecordId } = body as { kycRecordId: string };
  const { stdout: shown } = await runCommand(["records", "get", kycRecordId], world.env);
  expect(shown).toMatch(new RegExp(`whd_\\S+ +kyc\\.updated +1 +pending +0 .* ${endpointId}$`, "m"));

  expect((await webhooks("update", endpointId, "--enabled", "false")).stdout).toMatch(/^enabled +no$/m);
  expect((await webhooks("list")).stdout).toMatch(new RegExp(`^${endpointId} +no +requested `, "m"));
  expect(await webhooks("test", endpointId)).toMatchObject({
    code: 1,
    stderr: `${endpointId} is disabled: enable it first.\n`,
  });
  await webhooks("update", endpointId, "--enabled", "true");
  expect(await json("redeliver-failed", endpointId, "--since", "2020-01-01T00:00:00Z")).toEqual({
    redelivered: 3,
    more: false,
  });
  const { items } = await json("deliveries", endpointId, "--status", "pending");
  expect(items.map(({ sequence }: { sequence: number }) => sequence)).toEqual([null, 2, 1]);
  const one = await webhooks("delivery", endpointId, items[1].deliveryId);
  expect(one.stdout).toContain("No history.");

  const rotated = await webhooks("rotate-secret", endpointId, "--overlap", "0");
  expect([rotated.stdout, rotated.stderr]).toEqual([
    expect.stringMatching(/^whsec_\S+\n$/),
    expect.not.stringContaining("previous secret until"),
  ]);
  expect(await json("update", endpointId, "--description", "backend")).toMatchObject({
    url,
    description: "backend",
  });
  expect(await json("update", endpointId, "--description", "")).toMatchObject({ description: null });
  expect((await webhooks("delete", endpointId)).code).toBe(0);
  expect(await webhooks("get", endpointId)).toEqual({
    code: 1,
    stdout: "",
    stderr: "There is no such webhook endpoint on this platform.\n",
  });
});

it("searches deliveries over platforms, and sends the failed ones again after a preview", async () => {
  const all = (...args: string[]) => runCommand(["webhooks", ...args], world.env);
  const created = await webhooks("create", "--url", "https://hooks.example.com/", "--events", "kyc.updated");
  const [endpointId = ""] = /whe_[0-9a-z]{26}/.exec(created.stderr) ?? [];
  const { body } = await restSubmit(world.caller(), newSubmission("pending"));
  const { kycRecordId } = body as { kycRecordId: string };
  // Disabling an endpoint fails its pending deliveries.
  await webhooks("update", endpointId, "--enabled", "false");
  await webhooks("update", endpointId, "--enabled", "true");
  const found = await all("search-deliveries", "--status", "failed", "--endpoint-id", endpointId);
  expect(found).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^CREATED +PLATFORM NAME +STATUS +ATTEMPTS +TYPE +KYC RECORD +ENDPOINT +DELIVERY$/m,
    ),
  });
  expect(found.stdout).toMatch(
    new RegExp(`^20\\S+Z +\\S.* failed +0 +kyc.updated +${kycRecordId} +${endpointId} +whd_\\S+$`, "m"),
  );
  const many = (preview: string) => all("redeliver-many", "--preview", preview, "--endpoint-id", endpointId);
  expect((await many("true")).stdout).toMatch(/^[12] failed deliveries can be sent again\.\n$/);
  expect((await many("false")).stdout).toMatch(/^([12]) of \1 failed deliveries are due now\.\n$/);
  expect((await many("true")).stdout).toBe("0 failed deliveries can be sent again.\n");
  expect((await all("endpoint-health")).stdout).toMatch(/^endpoints +1\n\nNo failing\.\n$/);
  await webhooks("delete", endpointId);
});

it("reports the error of a wrong call", async () => {
  const wrong = await webhooks("create", "--url", "http://hooks.example.com", "--events", "kyc.updated");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--url: Send an https URL/) });
  expect(await webhooks("redeliver", "whe_1")).toMatchObject({ code: 2 });
  expect(await webhooks("update", "whe_1")).toEqual({
    code: 2,
    stdout: "",
    stderr: "Send at least one of url, eventTypes, description, enabled.\n",
  });
  expect(await webhooks("update", "whe_1", "--enabled", "maybe")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--enabled: Send /),
  });
  const nowhere = await runCommand(["webhooks", "list", "--platform", "plt_nobody"], world.env);
  expect([nowhere.code, nowhere.stderr]).toEqual([1, "There is no such platform.\n"]);
});
