import { afterAll, beforeAll, describe } from "vitest";
import { describeCards } from "./cards.ts";
import { describeKyc } from "./kyc.ts";
import type { ConformanceSetup } from "./setup.ts";

export type { ConformanceSetup, IssuedCard, Treatment } from "./setup.ts";

/**
 * Registers the tests that every `CardProvider` has to pass. Another adapter calls it at the top level of
 * a vitest file, with a setup over the provider's own sandbox or over a fake server that it writes:
 *
 *     import { describeCardProvider } from "@cardbridge/provider/conformance";
 *     describeCardProvider("acme", async () => ({ provider: createAcme(…), emailFor, issueCards, executions, close }));
 *
 * `setup` runs once; every test mints its own references. What a provider does when it breaks its promises
 * (garbage, hanging connections, foreign cards) is the adapter's own to test.
 */
export function describeCardProvider(name: string, setup: () => Promise<ConformanceSetup>): void {
  describe(name, () => {
    let ready: ConformanceSetup | undefined;

    function current(): ConformanceSetup {
      if (!ready) throw new Error("The setup of this suite has not finished.");
      return ready;
    }

    beforeAll(async () => {
      ready = await setup();
    });
    afterAll(() => ready?.close());

    describe("KYC", () => describeKyc(current));
    describe("cards", () => describeCards(current));
  });
}
