import { InvalidArgumentError, Option } from "commander";
import { check } from "./boot/check.ts";
import { runService } from "./boot/service.ts";
import { readArguments } from "./process/arguments.ts";
import { print } from "./process/print.ts";
import { endProcess } from "./process/standard.ts";

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError("Set a port.");
  return port;
}

/* The options besides --check are what `npm start` needs beside the service. They are not for production. */
const { check: onlyCheck, ...development } = readArguments(
  "main.js",
  "Runs the cardbridge service. The environment configures it: docs/operate/configuration.md.",
  [
    new Option("--check", "checks whether the service would work, and what production lacks"),
    new Option("--docs-folder <path>", "the built documentation; by default, docs beside the program"),
    new Option("--docs-program <path>", "builds the documentation after the start"),
    new Option("--console-program <path>", "builds and runs the console after the start"),
    new Option("--console-port <port>", "the console's port").argParser(portOf),
  ],
);
if (onlyCheck) await endProcess((await check(print)) ? 0 : 1);
else runService({ assets: new URL("./", import.meta.url), development });
