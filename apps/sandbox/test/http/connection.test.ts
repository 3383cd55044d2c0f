import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { untilClosed, waitWhileOpen } from "../../src/http/connection.ts";

const dayMs = 86_400_000;

function response(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

describe("waiting on a connection", () => {
  test("ends when the connection closes and removes its listeners", async () => {
    const outgoing = response();
    const before = outgoing.listenerCount("close");
    const waiting = Promise.all([waitWhileOpen(outgoing, dayMs), untilClosed(outgoing)]);
    expect(outgoing.listenerCount("close")).toBe(before + 2);
    outgoing.emit("close");
    await waiting;
    expect(outgoing.listenerCount("close")).toBe(before);
  });

  test("returns immediately on a closed connection", async () => {
    const outgoing = response();
    outgoing.destroy();
    await Promise.all([waitWhileOpen(outgoing, dayMs), untilClosed(outgoing)]);
  });

  test("ends when the time has passed", async () => {
    const outgoing = response();
    const before = outgoing.listenerCount("close");
    await waitWhileOpen(outgoing, 1);
    expect(outgoing.listenerCount("close")).toBe(before);
  });
});
