import { runService } from "./boot/service.ts";
import { refuseArguments } from "./process/arguments.ts";

refuseArguments(
  "main.js",
  "Runs the cardbridge service. The environment configures it: docs/operate/configuration.md.",
);
runService({ assets: new URL("./", import.meta.url) });
