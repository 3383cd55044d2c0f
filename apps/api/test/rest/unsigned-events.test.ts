import type { ProviderEvent } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createEventsApp } from "../../src/rest/provider-events.ts";
import { maxEventBytes } from "../../src/server/limits.ts";
import { fakePorts } from "../support/fakes.ts";

/** Anybody can send events, so an unsigned one costs as little as possible. */
const signed = { "x-signature": "a", "x-timestamp": "1" };

/** Sends a body chunk by chunk, and reports in order what was done with it. */
async function send(
  headers: Record<string, string>,
  length: number,
  event: ProviderEvent = { kind: "other" },
) {
  const steps: string[] = [];
  const run = (name: string) => (holder: string, work: () => Promise<unknown>) => {
    steps.push(`${name} of ${JSON.stringify(holder)}`);
    return work() as Promise<never>;
  };
  let left = length;
  const body = new ReadableStream(
    {
      pull(controller) {
        if (steps.at(-1) !== "read") steps.push("read");
        const chunk = new Uint8Array(Math.min(left, 1_000));
        left -= chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const reader = {
    acceptedStatus: 204 as const,
    signedHeaders: Object.keys(signed),
    read() {
      steps.push("verify");
      return event;
    },
  };
  const slots = { "event-bodies": { run: run("body") }, "provider-requests": { run: run("work") } };
  const { ports } = fakePorts();
  ports.kycRecords.requeue = async () => ({ kycRecordId: "kyc_1", state: "due" });
  const app = createEventsApp({ reader, ports, slots });
  app.onError((error, c) => c.text("code" in error ? String(error.code) : error.message));
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  return { answer: await (await app.request("/", init)).text(), steps, left };
}

it("without a signature, nothing is read", async () => {
  expect(await send({}, 100)).toEqual({ answer: "UNAUTHENTICATED", steps: [], left: 100 });
  expect(await send({ "x-signature": "a" }, 100)).toMatchObject({ answer: "UNAUTHENTICATED", steps: [] });
});

it("takes a slot of the caller's address, then reads, verifies and does the work in another slot", async () => {
  const { steps } = await send(signed, 100, { kind: "ask", about: { step: "create", id: "holder_1" } });
  expect(steps).toEqual(['body of ""', "read", "verify", 'work of "internal"']);
});

it("does no work for an event with a wrong signature", async () => {
  const { answer, steps } = await send(signed, 100, { kind: "unsigned" });
  expect([answer, steps]).toEqual(["UNAUTHENTICATED", ['body of ""', "read", "verify"]]);
});

it("reads no more than providers send", async () => {
  const announced = await send({ ...signed, "content-length": String(maxEventBytes + 1) }, maxEventBytes + 1);
  expect(announced).toMatchObject({ answer: "PAYLOAD_TOO_LARGE", steps: ['body of ""'] });
  const { answer, steps, left } = await send(signed, 1_000_000);
  expect([answer, steps]).toEqual(["PAYLOAD_TOO_LARGE", ['body of ""', "read"]]);
  expect(left).toBeGreaterThan(900_000);
});
