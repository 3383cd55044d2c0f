import { expect, it } from "vitest";
import { anyName, inputOf, questionsOf } from "../../support/names.ts";
import { converse } from "../../support/raw-http.ts";
import { both, type Canary, json, queries } from "./canary.ts";

/** Sends marks to a service with an internal error or without a database, and from a caller that disconnects. */
export function sendIntoTrouble({ services, marks, ask }: Canary): void {
  it.each(both)("unexpected errors over %s", async (transport) => {
    const service = await services().throwing();
    expect((await ask("kyc.submit", transport, marks.submission(), { service })).status).toBe(500);
  });

  it.each(both)("an unavailable database, over %s", async (transport) => {
    const { failing } = services();
    failing.database.down();
    expect((await ask("kyc.submit", transport, marks.submission(), { service: failing })).status).toBe(503);
    for (const { operation } of queries.filter((binding) => binding.transport === transport)) {
      for (const { field, others } of questionsOf(operation)) {
        const values = [field, ...others].map((name) => [name, anyName(name, marks.next())]);
        const input = inputOf(operation, Object.fromEntries(values));
        const { status } = await ask(operation.id, transport, input, { service: failing });
        expect([operation.id, field, status]).toEqual([operation.id, field, 503]);
      }
    }
    failing.database.up();
  });

  it("a submission whose caller disconnects within the body", async () => {
    const body = JSON.stringify(marks.submission());
    const headers = {
      ...json,
      host: "a",
      authorization: `Bearer ${services().keys.first}`,
      "content-length": `${body.length}`,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const cut = `POST /openapi/v1/users/kyc HTTP/1.1\r\n${lines.join("")}\r\n${body.slice(0, 200)}`;
    await converse(services().well.url, (socket) => void socket.end(cut));
  });
}
