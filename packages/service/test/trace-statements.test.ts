import { noTracer, type SpanStart, type Tracer } from "@cardbridge/domain";
import { afterAll, expect, test } from "vitest";
import { kycRecordsRepository } from "../src/database.ts";
import { openDatabase } from "./support/open-database.ts";
import { aRequest, keys, makeWorld } from "./support/world.ts";

const { platform, rowsOf, urls } = await makeWorld();

/** The current trace; undefined outside a trace. */
let traceparent: string | undefined;
const started: SpanStart[] = [];
const tracer: Tracer = {
  run(start, work) {
    started.push(start);
    return noTracer.run(start, work);
  },
  isRecording: () => traceparent !== undefined,
  traceparent: () => traceparent,
};
const database = openDatabase({ url: urls.serviceUrl, maxConnections: 1, onError: () => {}, tracer });
afterAll(() => database.close());
const kyc = kycRecordsRepository(database, { keys });

const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("a record stores the trace of its submission, and the next record of the connection stores none", async () => {
  const [traced, untraced] = [await platform(), await platform()];
  traceparent = trace;
  await kyc.createOrReplay(traced, aRequest());
  traceparent = undefined;
  await kyc.createOrReplay(untraced, aRequest());
  expect(await rowsOf("kyc_records", traced)).toMatchObject([{ traceparent: trace }]);
  expect(await rowsOf("kyc_records", untraced)).toMatchObject([{ traceparent: null }]);
});

test("each statement within a trace is a span with its name, without its text and values", async () => {
  const platformId = await platform();
  started.length = 0;
  await kyc.createOrReplay(platformId, aRequest());
  expect(started).toEqual([]);
  traceparent = trace;
  await kyc.createOrReplay(await platform(), aRequest());
  await kyc.leaseDue(1);
  traceparent = undefined;
  expect(started.map(({ name }) => name)).toEqual(["kyc_create_for_new_user", "commit", "select"]);
  const attributes = { "db.system.name": "postgresql" };
  for (const { name: _, ...rest } of started) expect(rest).toEqual({ kind: "client", attributes });
});
