import { afterAll, beforeAll, describe } from "vitest";
import { describeCards } from "./cards.ts";
import { describeExecutions } from "./executions.ts";
import { describeKyc } from "./kyc.ts";
import { describeReasons } from "./kyc-reasons.ts";
import { describeReferences } from "./kyc-references.ts";
import type { ConformanceSetup, Traits } from "./setup.ts";

export { newKycRequest } from "./inputs.ts";
export type { ConformanceSetup, IssuedCard, Scenario, Traits } from "./setup.ts";

/**
 * Registers the tests that every `CardProvider` has to pass. An adapter calls it at the top level of a vitest file,
 * with a setup over the provider's sandbox or over a fake server:
 *
 *     import { describeCardProvider } from "@cardbridge/provider/conformance";
 *     describeCardProvider("acme", async () => ({ provider: createAcme(…), emailFor, … }), traits);
 *
 * `setup` runs once, and every test uses new references. `traits` declare the provider's abilities. Each adapter tests
 * violations of its contract (invalid responses, hanging connections, cards of other users) itself.
 */
export function describeCardProvider(
  name: string,
  setup: () => Promise<ConformanceSetup>,
  { references, reasons, executions }: Traits,
): void {
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
    if (references) describe("references", () => describeReferences(current));
    if (reasons) describe("reasons", () => describeReasons(current));
    if (executions) describe("executions", () => describeExecutions(current));
    describe("cards", () => describeCards(current));
  });
}
