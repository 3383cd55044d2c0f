import { defaultPolicies } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { banner } from "../../src/boot/development/banner.ts";
import { policiesOf } from "../../src/boot/options.ts";
import { readEnv } from "../../src/config/env.ts";

const { capabilities } = defaultPolicies;
const fourEyesIn = (source: Record<string, string>) =>
  policiesOf(readEnv(source), "https://cards.example.com", { capabilities, readsExternalFiles: true })
    .fourEyes;
const start = {
  ...({ url: "http://127.0.0.1:3000", environment: "test", run: "all", metrics: undefined } as const),
  ...{ production: true, demo: false, docs: false, samples: "" },
};

it("two persons are the default, and FOUR_EYES=off is one", () => {
  expect([fourEyesIn({}), fourEyesIn({ FOUR_EYES: "on" }), fourEyesIn({ FOUR_EYES: "off" })]).toEqual([
    true,
    true,
    false,
  ]);
  expect(() => fourEyesIn({ FOUR_EYES: "no" })).toThrow();
});

it("the start says that one person acts alone, and nothing otherwise", () => {
  expect(banner({ ...start, fourEyes: false })).toMatch(/^ {2}Four eyes +off: one person /m);
  expect(banner({ ...start, fourEyes: true })).not.toContain("Four eyes");
});
