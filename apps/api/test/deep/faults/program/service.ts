import type { CardProvider } from "@cardbridge/domain";
import { runService } from "../../../../src/boot/service.ts";
import { print } from "../../../../src/process/print.ts";
import { createFailPoint } from "./fail-point.ts";
import { failingOverrides } from "./test-overrides.ts";
import { twoStepProvider } from "./two-step-provider.ts";

/*
 * The service with the fail-point that FAILPOINT names, and with TWO_STEPS a provider that takes two calls for a
 * submission; otherwise the program that is shipped.
 */
const { FAILPOINT, TWO_STEPS, PROVIDER_URL = "" } = process.env;
const reach = FAILPOINT === undefined && TWO_STEPS ? async () => {} : createFailPoint(FAILPOINT ?? "", print);
const failing = failingOverrides(reach);
const overrides = TWO_STEPS
  ? { ...failing, provider: (one: CardProvider) => failing.provider(twoStepProvider(one, PROVIDER_URL)) }
  : failing;

runService({ assets: new URL("./", import.meta.url), overrides });
