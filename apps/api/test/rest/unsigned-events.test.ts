import type { ProviderEvent } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createEventsApp } from "../../src/rest/provider-events.ts";
import { maxEventBytes } from "../../src/server/limits.ts";
import { fakePorts } from "../support/fakes.ts";

/** Anybody can send events, so an unsigned one costs as little as possible. */
const signed = { "x-signature": "a", "x-timestamp": "1" };

interface Sent {
  headers?: Record<string, string>;
  length?: number;
  event?: ProviderEvent;
  acceptedStatus?: 200 | 204;
  /** The record of an event that makes the service query the provider; null if there is none. */
  result?: "due" | "leased" | null;
}

/** Sends a body chunk by chunk, and reports in order what was done with it. */
async function send({
  headers = signed,
  length = 100,
  event = { kind: "other" },
  acceptedStatus = 204,
  result = "due",
}: Sent) {
  const steps: string[] = [];
  const asked: unknown[][] = [];
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
    acceptedStatus,
    signedHeaders: Object.keys(signed),
    read() {
      steps.push("verify");
      return event;
    },
  };
  const slots = { "event-bodies": { run: run("body") }, "provider-requests": { run: run("work") } };
  const { ports } = fakePorts();
  ports.database = {
    ...ports.database,
    // Only the look-up of a step runs without a platform.
    withoutPlatform: async (work) => {
      const execute = async ({ queryChunks }: { queryChunks: unknown[] }) => {
        asked.push(queryChunks.filter((chunk) => typeof chunk === "string"));
        return { rows: [{ platform_id: "plt_1", record_id: "kyc_1", user_id: "usr_1" }] };
      };
      return work({ execute } as never);
    },
    asPlatform: async () => result as never,
  };
  const app = createEventsApp({ reader, ports, slots });
  app.onError((error, c) => c.text("code" in error ? String(error.code) : error.message, 500));
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const response = await app.request("/", init);
  return { status: response.status, answer: await response.text(), steps, asked, left };
}

describe("an unsigned event", () => {
  it("is not read without a signature", async () => {
    const unread = { answer: "UNAUTHENTICATED", steps: [], left: 100 };
    expect(await send({ headers: {} })).toMatchObject(unread);
    expect(await send({ headers: { "x-signature": "a" } })).toMatchObject(unread);
  });

  it("causes no work with a wrong signature", async () => {
    const { answer, steps } = await send({ event: { kind: "unsigned" } });
    expect([answer, steps]).toEqual(["UNAUTHENTICATED", ['body of ""', "read", "verify"]]);
  });

  it("is read up to the size that providers send", async () => {
    const length = maxEventBytes + 1;
    const announced = await send({ headers: { ...signed, "content-length": String(length) }, length });
    expect(announced).toMatchObject({ answer: "PAYLOAD_TOO_LARGE", steps: ['body of ""'] });
    const { answer, steps, left } = await send({ length: 1_000_000 });
    expect([answer, steps]).toEqual(["PAYLOAD_TOO_LARGE", ['body of ""', "read"]]);
    expect(left).toBeGreaterThan(900_000);
  });
});

describe("an event without an order", () => {
  const about = { step: "create", id: "holder_1" };
  const event: ProviderEvent = { kind: "ask", about };

  it("makes the record due, in one of the slots that no platform can use", async () => {
    const { status, steps, asked } = await send({ event });
    expect([status, asked]).toEqual([204, [Object.values(about)]]);
    expect(steps).toEqual(['body of ""', "read", "verify", 'work of "internal"']);
  });

  it("is accepted with the status that the provider expects", async () => {
    expect((await send({ event, acceptedStatus: 200 })).status).toBe(200);
  });

  it.each([
    ["leased" as const, "SERVICE_UNAVAILABLE"],
    [null, "KYC_RECORD_NOT_FOUND"],
  ])("whose record is %j fails with %s, so that the provider repeats it", async (result, code) => {
    expect(await send({ event, result })).toMatchObject({ status: 500, answer: code });
  });
});
