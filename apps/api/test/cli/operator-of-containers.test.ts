import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { opsFile } from "../deep/ops/ops-files.ts";
import { readFile } from "../docs/statements/project.ts";
import { runCommand } from "../support/command-line.ts";
import { startTestService } from "../support/test-service.ts";

/*
 * The accounts in containers have no names. The documented functions and the script of systemd pass the name of the
 * operator.
 */

let service: Awaited<ReturnType<typeof startTestService>>;
let folder: string;
beforeAll(async () => {
  service = await startTestService({ events: false });
  folder = mkdtempSync(join(tmpdir(), "cardbridge-operator-"));
  for (const [name, script] of [
    // The programs that reach a container print their arguments, one a line, and the account is Ada's.
    ["docker", 'printf "%s\\n" "$@"'],
    ["kubectl", 'printf "%s\\n" "$@"'],
    ["id", "echo ada"],
  ]) {
    const path = join(folder, name ?? "");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

const documented = readFile("docs/operate/command-line.md").match(/^cardbridge\(\) \{.*\}$/gm) ?? [];

/** The arguments that the command line gets in the container. */
function argumentsOf(definition: string, command: string): string[] {
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const script = `${definition}\ncardbridge ${command}`;
  const lines = execFileSync("sh", ["-c", script], { env, encoding: "utf8" }).trimEnd().split("\n");
  return lines.slice(lines.indexOf("cli.js") + 1);
}

it("the page has a function for Compose and one for Kubernetes", () => {
  expect(documented.map((line) => /docker|kubectl/.exec(line)?.[0])).toEqual(["docker", "kubectl"]);
});

describe.each(documented)("%s", (definition) => {
  it("records the operator's name in the audit, or the name that they give", async () => {
    for (const [command, actor] of [
      ["platforms create One", "claim:ada"],
      ["--by grace platforms create Two", "claim:grace"],
    ] as const) {
      expect(await runCommand(argumentsOf(definition, command), service.env)).toMatchObject({ code: 0 });
      const { stdout } = await runCommand(
        ["audit", "list", "internal", "--limit", "1", "--json"],
        service.env,
      );
      expect(JSON.parse(stdout).entries).toMatchObject([{ operation: "platforms.create", actor }]);
    }
  });
});

it("the script for systemd passes the account that called sudo", () => {
  expect(opsFile("systemd/cardbridge")).toMatch(/cli\.js --by "\$\{SUDO_USER:-root\}" "\$@"$/m);
});
