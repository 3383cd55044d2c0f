import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runVariables } from "./with-test.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The blocks of the README that a reader pastes into one shell. */
export async function tourBlocks(): Promise<string[]> {
  const readme = await readFile(`${root}README.md`, "utf8");
  const [, tour = ""] = /^## A five-minute tour\n([\s\S]*?)^## /m.exec(readme) ?? [];
  return [...tour.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

/**
 * Pastes the tour of the README into a shell, block after block, with the address of a running service and, if given,
 * another key.
 *
 * @returns the JSON that each command printed, in order
 */
export async function playTour(url: string, key?: string) {
  const tour = (await tourBlocks()).join("");
  const here = tour.replace("http://127.0.0.1:3000", url);
  if (here === tour) throw new Error("The tour of the README names no address.");
  const pasted = key === undefined ? here : here.replace(/^KEY=.*$/m, `KEY=${key}`);
  const shell = ["-euo", "pipefail", "-c", pasted];
  const { stdout } = await promisify(execFile)("bash", shell, { cwd: root, env: runVariables() });
  return stdout
    .replaceAll("}{", "}\n{")
    .split("\n")
    .map((line) => JSON.parse(line));
}
