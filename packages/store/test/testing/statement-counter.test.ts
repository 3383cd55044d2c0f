import { expect, test } from "vitest";
import { kycRecordsRepository } from "../../src/index.ts";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { statementCounter } from "../../src/testing/statement-counter.ts";
import { openDatabase } from "../support/open-database.ts";
import { keys, makeWorld } from "../support/world.ts";

const { platform, urls } = await makeWorld();

test("both simple and prepared statements of a connection are counted", async () => {
  const proxy = await startDatabaseProxy(urls.serviceUrl);
  const database = openDatabase({ url: proxy.url, maxConnections: 1, onError: () => {} });
  const kyc = kycRecordsRepository(database, { keys });
  const platformId = await platform();
  const counts: number[] = [];
  for (const work of [kyc.countWaiting, read, read]) {
    const before = proxy.statements();
    await work();
    counts.push(proxy.statements() - before);
  }
  // The check of the server and the count. Then begin, the record, its history, commit: the first read also confirms
  // the encryption keys.
  expect(counts).toEqual([2, 5, 4]);
  await database.close();
  await proxy.close();

  function read(): Promise<unknown> {
    return kyc.history(platformId, "kyc_of_nobody");
  }
});

test("messages are counted however they are split into chunks, and heartbeats and reads of pauses are not", () => {
  const message = (type: string, text: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(4 + text.length);
    return Buffer.concat([Buffer.from(type), length, Buffer.from(text)]);
  };
  const statements = ["", "Q", "P", "B", "E", "S", "Q", "X"].map((type) => message(type, "QEQE".repeat(3)));
  const heartbeat = [message("P", "select renew_process($1)"), message("B", "prc_1"), message("E", "")];
  const pauses = message("Q", "select id from current_pauses()");
  const sent = [...statements, pauses, ...heartbeat];
  for (const size of [1, 2, 3, 7, 1_000]) {
    const count = statementCounter();
    const bytes = Buffer.concat(sent);
    let found = 0;
    for (let at = 0; at < bytes.length; at += size) found += count(bytes.subarray(at, at + size));
    expect(found).toBe(3);
  }
});
