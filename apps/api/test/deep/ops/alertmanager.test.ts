import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import { unusedPort } from "../../support/unused-port.ts";
import { endWithTest, runVariables } from "../../support/with-test.ts";
import { alarms } from "./alarms.ts";
import { opsFile } from "./ops-files.ts";

const configuration = () => parse(opsFile("prometheus/alertmanager.yml"));

/** The name of the program: Debian's package has a name of its own. */
const program = ["prometheus-alertmanager", "alertmanager"].find(
  (name) => spawnSync(name, ["--version"]).error === undefined,
);

it("the example names only alarms that exist, and silences none that is its own cause", () => {
  const known = alarms().map(({ alert }) => alert);
  const matching = (matchers: string[]) => {
    const [, operator = "", value = ""] = /^alertname (=~?) (.*)$/.exec(matchers.join()) ?? [];
    const pattern = new RegExp(`^(?:${value.replaceAll('"', "")})$`);
    const named = known.filter((name) => pattern.test(name));
    const count = operator === "=" ? 1 : (value.split("|").length ?? 0);
    expect([value, named.length]).toEqual([value, count]);
    return named;
  };
  for (const { source_matchers: source, target_matchers: target } of configuration().inhibit_rules) {
    const both = [matching(source), matching(target)];
    expect(new Set(both.flat()).size).toBe(both.flat().length);
  }
});

describe("Alertmanager", () => {
  beforeEach(({ skip }) => skip(program === undefined, "not run: no alertmanager on this machine"));

  /** Starts Alertmanager with the example, whose receivers are this process, and returns what they get. */
  async function start() {
    const received: string[] = [];
    const receiver = createServer(async (request, response) => {
      const { alerts } = JSON.parse(await text(request)) as { alerts: { labels: { alertname: string } }[] };
      received.push(...alerts.map(({ labels }) => `${request.url?.slice(1)} ${labels.alertname}`));
      response.end();
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const folder = await mkdtemp(join(tmpdir(), "cardbridge-alertmanager-"));
    const { route, receivers, ...rest } = configuration();
    const local = receivers.map(({ name }: { name: string }) => ({
      name,
      webhook_configs: [{ url: `${address}/${name}`, send_resolved: false }],
    }));
    const file = join(folder, "alertmanager.yml");
    await writeFile(file, stringify({ route: { ...route, group_wait: "1s" }, receivers: local, ...rest }));
    const port = await unusedPort();
    const child = spawn(
      program ?? "",
      [
        `--config.file=${file}`,
        `--storage.path=${folder}`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--cluster.listen-address=",
      ],
      { stdio: "ignore", detached: true, env: runVariables() },
    );
    endWithTest(child);
    onTestFinished(async () => {
      receiver.close();
      await rm(folder, { recursive: true, force: true });
    });
    const url = `http://127.0.0.1:${port}/api/v2/alerts`;
    await expect
      .poll(
        () =>
          fetch(url).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true);
    return {
      received,
      async fire(names: readonly string[]) {
        const firing = alarms().filter(({ alert }) => names.includes(alert));
        const alerts = firing.map(({ alert, labels }) => ({
          labels: { alertname: alert, instance: "a", ...labels },
        }));
        const headers = { "content-type": "application/json" };
        expect((await fetch(url, { method: "POST", headers, body: JSON.stringify(alerts) })).status).toBe(
          200,
        );
      },
    };
  }

  it.each([
    ["the database", ["DatabaseAway", "Errors", "NoWorker", "Backlog", "CallsWait", "ConsoleServiceAway"]],
    ["the provider", ["ProviderFails", "Errors", "ProviderBreakerOpen", "Backlog"]],
    ["the worker", ["NoWorker", "Backlog", "WebhooksNotAttempted", "AuditCheckpointsLate"]],
    ["the disk", ["StorageFull", "FilesAway"]],
  ])("pages once without %s", async (_, names) => {
    const { received, fire } = await start();
    await fire(names.map((name) => `Cardbridge${name}`));
    const page = `pager Cardbridge${names[0]}`;
    await expect.poll(() => received, { timeout: 30_000 }).toContain(page);
    // A later alarm waits as long as the first ones, so it comes after all that they send.
    await fire(["CardbridgeLogLinesDropped"]);
    await expect.poll(() => received, { timeout: 30_000 }).toContain("tickets CardbridgeLogLinesDropped");
    expect(received).toEqual([page, "tickets CardbridgeLogLinesDropped"]);
  });
});
