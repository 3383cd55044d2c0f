import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { copyFilePackages, filePrograms } from "../build.mjs";
import type { Decoded, FileToDecode } from "../src/inspection/decoded.ts";
import type { ProcessRequest, ProcessResponse } from "../src/processes/messages.ts";
import { bundleInto } from "./support/bundle.ts";
import { makeFolder } from "./support/folder.ts";
import { worstImages } from "./support/worst-images.ts";

// Prints the cost of each worst image for a new decoder process: node test/measure-decoders.ts [part of a name].
// It reads /proc, so it requires Linux.

const folder = await makeFolder();
await bundleInto(folder, filePrograms);
await copyFilePackages(folder);
const program = pathToFileURL(join(folder, "decoder.js"));
const bounds = { cpuMs: 2_900, memoryMb: 230 };

async function measure(bytes: Buffer, kind: FileToDecode["kind"]) {
  const child = fork(program, {
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: {},
    execArgv: [],
  });
  const read = () => usageOf(child.pid ?? 0);
  await new Promise((resolve) => setTimeout(resolve, 400));
  const before = read();
  let last = before;
  const timer = setInterval(() => {
    last = read() ?? last;
  }, 2);
  const { promise, resolve } = Promise.withResolvers<string>();
  child.once("message", (response: ProcessResponse<Decoded>) => resolve(describe(response)));
  child.once("exit", () => resolve("ended"));
  child.send({
    input: { kind, bytes, page: 1, pagesMs: 1_000 },
    bounds,
  } satisfies ProcessRequest<FileToDecode>);
  const outcome = await promise;
  last = read() ?? last;
  clearInterval(timer);
  child.kill("SIGKILL");
  return {
    cpu: (last?.cpu ?? 0) - (before?.cpu ?? 0),
    idleMb: before?.peakMb,
    peakMb: last?.peakMb,
    outcome,
  };
}

function describe(response: ProcessResponse<Decoded>): string {
  if ("exceeded" in response) return `ended at ${response.exceeded}`;
  if ("failed" in response) return `failed: ${response.failed}`;
  const { result, memoryMb } = response;
  if ("rule" in result) return result.rule;
  const accepted = "bytes" in result ? `${result.bytes.length} bytes` : `next page ${result.nextPage}`;
  return `accepted, ${accepted}, then ${Math.round(memoryMb)} MB`;
}

/** CPU seconds and peak memory of a process, from /proc; undefined after it has ended. */
function usageOf(pid: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    if (!peak) return undefined;
    return {
      cpu: (Number(fields[11]) + Number(fields[12])) / 100,
      peakMb: Math.round((Number(peak) * 1_024) / 1e6),
    };
  } catch {
    return undefined;
  }
}

const [part = ""] = process.argv.slice(2);
for (const [name, create] of Object.entries(worstImages)) {
  if (!name.includes(part)) continue;
  const bytes = await create();
  const kind = name.slice(0, name.indexOf(",")).toLowerCase() as FileToDecode["kind"];
  const { cpu, idleMb, peakMb, outcome } = await measure(bytes, kind);
  const cost = `${cpu.toFixed(2)} s CPU, ${peakMb} MB (idle ${idleMb})`;
  process.stdout.write(`${name} (${bytes.length} bytes): ${cost}: ${outcome}\n`);
}
