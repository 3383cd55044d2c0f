import { readdir, readFile } from "node:fs/promises";
import { expect, inject, it } from "vitest";
import { startCluster } from "./cluster/cluster.ts";

const dist = new URL("../../../dist/", import.meta.url);

it("the shipped programs contain no fail-point", async () => {
  const files = (await readdir(dist)).filter((name) => /\.js(\.map)?$/.test(name));
  expect(files).toEqual(expect.arrayContaining(["main.js", "migrate.js", "cli.js"]));
  for (const name of files) {
    const text = await readFile(new URL(name, dist), "utf8");
    for (const word of ["FAILPOINT", "fail-point"])
      expect([name, text.includes(word)]).toEqual([name, false]);
  }
});

it("the shipped service ignores FAILPOINT", async () => {
  const cluster = await startCluster(inject("postgres"), Math.random);
  const service = await cluster.startService({ env: { FAILPOINT: "createOrReplay.after:kill" } });
  expect(await cluster.submit(service, cluster.newSubmission())).toMatchObject({ status: 200 });
  expect(await service.end("SIGTERM")).toBe(0);
  await cluster.close();
});
