import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createCanary } from "../../service/canary/canary.ts";
import { sendMarkedData } from "../../service/canary/cases.ts";
import { searchOutputs } from "../../service/canary/search.ts";
import { startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { type Cluster, startCluster } from "../faults/cluster/cluster.ts";
import { type ClusterServices, startInProcesses } from "./cluster-services.ts";
import { readDatabaseWords, readProcesses } from "./processes.ts";

/*
 * The canary of the first tier over the built program: searches the output, the command line and the database of a
 * process for marked data, also after the process is killed.
 */

const processes: string[] = [];
let cluster: Cluster;
let traces: Awaited<ReturnType<typeof startOtlpReceiver>>;
let services: ClusterServices;
beforeAll(async () => {
  traces = await startOtlpReceiver();
  cluster = await startCluster(inject("postgres"), Math.random);
  services = await startInProcesses(cluster, traces.url, look);
});
afterAll(async () => {
  await cluster.close();
  await traces.close();
});

/** Reads the command lines and environments of the processes. */
async function look(): Promise<void> {
  processes.push(await readProcesses(cluster.services.map(({ child }) => child.pid)));
}

const canary = createCanary(() => services);
const { marks, ask } = canary;

sendMarkedData(canary);

it.each(["submitKyc.before", "storeVerdict.before"] as const)(
  "a process that is killed at %s has marked data",
  async (point) => {
    const victim = await services.startProcess({ failPoint: `${point}:kill` });
    const { child } = victim;
    const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    await expect(ask("kyc.submit", "REST", marks.submission(), { service: victim })).rejects.toThrow();
    expect(await ended).toBe("SIGKILL");
  },
);

describe("no mark is in", () => {
  it("the processes' command lines and environments", async () => {
    await look();
    expect(processes.length).toBeGreaterThan(2);
    for (const text of processes) {
      expect(text).toContain("dist/main.js");
      expect(marks.findIn(text)).toEqual([]);
    }
  });

  it("the database's log and the statements of its connections", async () => {
    const said = await readDatabaseWords(cluster);
    expect(said).toContain('insert into "kyc_records"');
    expect(marks.findIn(said)).toEqual([]);
  });

  searchOutputs(canary, () => traces);

  it("the output of a process outside its log", () => {
    // The search of the logs above covers all of the output.
    for (const { output } of services.all()) expect(output()).toContain("cardbridge is ready");
  });
});
