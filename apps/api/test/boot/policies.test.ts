import { kycRules, type ProviderCapabilities, unlimitedCapabilities } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { policiesOf } from "../../src/boot/options.ts";
import { readEnv } from "../../src/config/env.ts";

const env = readEnv({ POLICY_FILE_ORIGINS: "any" });

it.each([
  ["url", false, "any"],
  ["bytes", true, "any"],
  ["bytes", false, "uploads"],
] as const)(
  "delivery as %s with external files read: %s accepts the file origins %s",
  (fileDelivery, reads, expected) => {
    const capabilities: ProviderCapabilities = { ...unlimitedCapabilities, fileDelivery };
    const facts = { capabilities, readsExternalFiles: reads };
    const policies = policiesOf(env, "https://cards.example.com", facts);
    expect(policies).toMatchObject({ fileOrigins: expected, capabilities });
    const external = { selfieImageUrl: "https://files.example.org/selfie.jpg" };
    const violations = kycRules(policies)
      .flatMap((rule) => rule.check(external))
      .filter(({ rule }) => rule === "file-origin");
    expect(violations).toHaveLength(expected === "uploads" ? 1 : 0);
  },
);

it("a document is expiring from 60 days before its date on, or from POLICY_EXPIRY_NOTICE_DAYS", () => {
  const facts = { capabilities: unlimitedCapabilities, readsExternalFiles: true };
  const daysOf = (source: Record<string, string>) =>
    policiesOf(readEnv(source), "https://cards.example.com", facts).expiryNoticeDays;
  expect(daysOf({})).toBe(60);
  expect(daysOf({ POLICY_EXPIRY_NOTICE_DAYS: "365" })).toBe(365);
  for (const days of ["0", "366", "1.5"]) {
    expect(() => daysOf({ POLICY_EXPIRY_NOTICE_DAYS: days })).toThrow("POLICY_EXPIRY_NOTICE_DAYS");
  }
});
