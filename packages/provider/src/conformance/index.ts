import { afterAll, beforeAll, describe } from "vitest";
import { describeCards } from "./cards.ts";
import { describeKyc } from "./kyc.ts";
import type { ConformanceSetup } from "./setup.ts";

export type { ConformanceSetup, IssuedCard, Scenario } from "./setup.ts";

/**
 * Registers the tests that every `CardProvider` has to pass. An adapter calls it at the top level of a vitest file,
 * with a setup over the provider's sandbox or over a fake server:
 *
 *     import { describeCardProvider } from "@cardbridge/provider/conformance";
 *     describeCardProvider("acme", async () => ({ provider: createAcme(…), emailFor, issueCards, executions, close }));
 *
 * `setup` runs once, and every test uses new references. Each adapter tests violations of its contract (invalid
 * responses, hanging connections, foreign cards) itself.
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
