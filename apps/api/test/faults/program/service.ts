import { runService } from "../../../src/composition/service.ts";
import { print } from "../../../src/process/print.ts";
import { createFailPoint } from "./fail-point.ts";
import { failingVariants } from "./variants.ts";

/* The service with one fail-point, which FAILPOINT names; otherwise the program that is shipped. */
const reach = createFailPoint(process.env.FAILPOINT ?? "", print);

runService({ assets: new URL("./", import.meta.url), variants: failingVariants(reach) });
