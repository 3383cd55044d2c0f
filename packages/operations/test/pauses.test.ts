import { defaultPolicies, type NewPause } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { examplePause } from "../src/pauses/example.ts";
import { resumePause } from "../src/pauses/resume.ts";
import { pausePlatform, pauseProvider } from "../src/pauses/start.ts";
import { callOf, operatorCall } from "./support/calls.ts";
import { fakePorts } from "./support/fake-ports.ts";

const now = new Date("2027-01-31T12:00:00.000Z");
const policies = { ...defaultPolicies, now: () => now };
const reason = "Maintenance";
const later = (ms: number) => new Date(now.getTime() + ms).toISOString();
const dayMs = 86_400_000;

/** Ports that start any pause, and what they were given. */
function starting() {
  const started: NewPause[] = [];
  const { ports } = fakePorts();
  ports.pauses.start = async (pause) => {
    started.push(pause);
    return examplePause;
  };
  return { ports, started };
}
const rulesOf = (call: Promise<unknown>) =>
  call.then(
    () => [],
    (error) => error.details.violations.map(({ rule }: { rule: string }) => rule),
  );

describe("a pause", () => {
  it.each([
    ["in the past", later(-1), ["ends-later"]],
    ["after more than 30 days", later(30 * dayMs + 1), ["pause-length"]],
    ["after 30 days", later(30 * dayMs), []],
  ])("that ends %s", async (_, until, rules) => {
    const { ports, started } = starting();
    const input = { reason, until };
    expect(await rulesOf(pauseProvider(policies).execute(ports, operatorCall, input))).toEqual(rules);
    expect(started).toHaveLength(rules.length === 0 ? 1 : 0);
  });

  it("is of the provider, or of the named platform, and never of the internal apps", async () => {
    const { ports, started } = starting();
    const until = later(dayMs);
    await pauseProvider(policies).execute(ports, operatorCall, { reason, until });
    await pausePlatform(policies).execute(ports, operatorCall, { platformId: "plt_1", reason, until });
    expect(started.map(({ platformId, by }) => [platformId, by.operation])).toEqual([
      [null, "pauses.pauseProvider"],
      ["plt_1", "pauses.pausePlatform"],
    ]);
    const own = { platformId: "internal", reason, until };
    expect(await rulesOf(pausePlatform(policies).execute(ports, operatorCall, own))).toEqual([
      "pausable-platform",
    ]);
  });
});

describe("a person with some platforms", () => {
  const person = {
    personId: "per_ada",
    roles: [],
    platforms: ["plt_1"],
    authenticatedAt: new Date(),
    expiresAt: new Date(0),
  };
  const call = { ...callOf("internal", { scopes: ["ops.pauses"] }), person };

  it("resumes their platforms only, and neither pauses nor resumes the provider", async () => {
    const { ports } = starting();
    const platforms: Record<string, string | null> = { pause_1: "plt_1", pause_2: "plt_2", pause_3: null };
    ports.pauses.platformOf = async (pauseId) => platforms[pauseId];
    ports.pauses.resume = async () => examplePause;
    const codeOf = (pauseId: string) =>
      resumePause.execute(ports, call, { pauseId }).then(
        () => "done",
        ({ code }) => code,
      );
    expect(await Promise.all(["pause_1", "pause_2", "pause_3", "pause_4"].map(codeOf))).toEqual([
      "done",
      "PAUSE_NOT_FOUND",
      "PAUSE_NOT_FOUND",
      "PAUSE_NOT_FOUND",
    ]);
    const provider = pauseProvider(policies).execute(ports, call, { reason, until: later(dayMs) });
    await expect(provider).rejects.toMatchObject({ code: "SCOPE_MISSING" });
  });
});
