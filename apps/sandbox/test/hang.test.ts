import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { untilGone, wait } from "../src/hang.ts";

const aDay = 86_400_000;

function response(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

describe("waiting", () => {
  test("ends with the connection and leaves nothing behind", async () => {
    const outgoing = response();
    const before = outgoing.listenerCount("close");
    const waiting = Promise.all([wait(outgoing, aDay), untilGone(outgoing)]);
    expect(outgoing.listenerCount("close")).toBe(before + 2);
    outgoing.emit("close");
    await waiting;
    expect(outgoing.listenerCount("close")).toBe(before);
  });

  test("does not begin on a connection that is gone", async () => {
    const outgoing = response();
    outgoing.destroy();
    await Promise.all([wait(outgoing, aDay), untilGone(outgoing)]);
  });

  test("ends by itself when its time is over", async () => {
    const outgoing = response();
    const before = outgoing.listenerCount("close");
    await wait(outgoing, 1);
    expect(outgoing.listenerCount("close")).toBe(before);
  });
});
