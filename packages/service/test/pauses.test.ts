import { defaultPolicies, type NewPause } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { examplePause } from "../src/pauses/example.ts";
import { resumePause } from "../src/pauses/resume.ts";
import { pausePlatform, pauseProvider } from "../src/pauses/start.ts";
import { codeOf, operatorCall, personCall, rulesOf } from "./support/calls.ts";
import { fakePorts } from "./support/fake-ports.ts";

const now = new Date("2027-01-31T12:00:00.000Z");
const policies = { ...defaultPolicies, now: () => now };
const later = (ms: number) => new Date(now.getTime() + ms).toISOString();
const dayMs = 86_400_000;
const pause = { reason: "Maintenance", until: later(dayMs) };

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

it.each([
  { name: "in the past", ms: -1, rules: ["ends-later"] },
  { name: "after more than 30 days", ms: 30 * dayMs + 1, rules: ["pause-length"] },
  { name: "after 30 days", ms: 30 * dayMs, rules: [] },
])("a pause that ends $name violates $rules", async ({ ms, rules }) => {
  const { ports, started } = starting();
  const input = { ...pause, until: later(ms) };
  expect(await rulesOf(pauseProvider(policies).execute(ports, operatorCall, input))).toEqual(rules);
  expect(started).toHaveLength(rules.length === 0 ? 1 : 0);
});

it("a pause is of the provider, or of the named platform, and never of the internal apps", async () => {
  const { ports, started } = starting();
  const pauseOf = (platformId: string) =>
    pausePlatform(policies).execute(ports, operatorCall, { ...pause, platformId });
  await pauseProvider(policies).execute(ports, operatorCall, pause);
  await pauseOf("plt_1");
  expect(started.map(({ platformId, by }) => [platformId, by.operation])).toEqual([
    [null, "pauses.pauseProvider"],
    ["plt_1", "pauses.pausePlatform"],
  ]);
  expect(await rulesOf(pauseOf("internal"))).toEqual(["pausable-platform"]);
});

it("a person with some platforms resumes those only, and neither pauses nor resumes the provider", async () => {
  const { ports } = starting();
  const platforms: Record<string, string | null> = { pause_1: "plt_1", pause_2: "plt_2", pause_3: null };
  ports.pauses.platformOf = async (pauseId) => platforms[pauseId];
  ports.pauses.resume = async () => examplePause;
  const call = personCall(["ops.pauses"], { platforms: ["plt_1"] });
  const resume = (pauseId: string) => codeOf(resumePause.execute(ports, call, { pauseId }));
  const notFound = "PAUSE_NOT_FOUND";
  const results = await Promise.all(["pause_1", "pause_2", "pause_3", "pause_4"].map(resume));
  expect(results).toEqual(["done", notFound, notFound, notFound]);
  expect(await codeOf(pauseProvider(policies).execute(ports, call, pause))).toBe("SCOPE_MISSING");
});
