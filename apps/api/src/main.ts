import { InvalidArgumentError, Option } from "commander";
import { runService } from "./boot/service.ts";
import { readArguments } from "./process/arguments.ts";

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError("Set a port.");
  return port;
}

/* The options are what `npm start` needs beside the service. They are not for production. */
const development = readArguments(
  "main.js",
  "Runs the cardbridge service. The environment configures it: docs/operate/configuration.md.",
  [
    new Option("--docs-folder <path>", "the built documentation; by default, docs beside the program"),
    new Option("--docs-program <path>", "builds the documentation after the start"),
    new Option("--console-program <path>", "builds and runs the console after the start"),
    new Option("--console-port <port>", "the console's port").argParser(portOf),
  ],
);
runService({ assets: new URL("./", import.meta.url), development });
