import { runService } from "../../../../src/boot/service.ts";
import { print } from "../../../../src/process/print.ts";
import { createFailPoint } from "./fail-point.ts";
import { failingOverrides } from "./test-overrides.ts";

/* The service with the fail-point that FAILPOINT names; otherwise the program that is shipped. */
const reach = createFailPoint(process.env.FAILPOINT ?? "", print);

runService({ assets: new URL("./", import.meta.url), overrides: failingOverrides(reach) });
