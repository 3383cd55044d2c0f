import { parseArgs } from "node:util";
import type { FakeOptions } from "./start.ts";

const help = `Usage: main.js [options]

Runs a stateful fake of Airwallex Issuing on 127.0.0.1.

  --port <number>             the port of the API (default: any free port)
  --files-port <number>       the port of the files (default: any free port)
  --state <path>              keeps the state in this file (default: in memory)
  --client-id <text>          default: fake-client
  --api-key <text>            default: fake-key
  --webhook-url <url>         sends events here as they happen
  --webhook-secret <text>     default: fake-webhook-secret
  --help
`;

/** Reads the arguments. Handles `--help`, which exits with code 0; wrong arguments exit with code 2. */
export function readArguments(): FakeOptions {
  try {
    const text = { type: "string" } as const;
    const { values } = parseArgs({
      options: {
        port: { ...text, default: "0" },
        "files-port": { ...text, default: "0" },
        state: text,
        "client-id": { ...text, default: "fake-client" },
        "api-key": { ...text, default: "fake-key" },
        "webhook-url": text,
        "webhook-secret": { ...text, default: "fake-webhook-secret" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      process.exit(0);
    }
    const url = values["webhook-url"];
    return {
      port: portOf(values.port),
      filesPort: portOf(values["files-port"]),
      stateFile: values.state,
      clientId: values["client-id"],
      apiKey: values["api-key"],
      webhook: url === undefined ? undefined : { url: new URL(url).href, secret: values["webhook-secret"] },
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(2);
  }
}

function portOf(value: string): number {
  if (/^\d+$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new Error(`${value} is not a port number.`);
}
