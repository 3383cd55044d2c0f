import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { connect, connectLocally } from "../support/client.ts";
import { receive, receiveTls } from "../support/receiver.ts";

const refused = { kind: "connection-failed", reason: "address-refused", sent: false };
const get = (url: string) => ({ method: "GET" as const, url });

describe("a rejected address", () => {
  const numbers = [
    "127.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "0x7f.1",
    "2130706433",
    "0",
  ];
  it.each([...numbers, "localhost", "LOCALHOST.", "a.localhost"])(
    "gets no connection when the URL contains %s",
    async (host) => {
      const { port, sockets } = await receive((response) => response.end());
      expect(await connect({ allowHttp: true }).request(get(`http://${host}:${port}/`))).toEqual(refused);
      expect(sockets).toHaveLength(0);
    },
  );

  it.each([
    ["is loopback", ["127.0.0.1"]],
    ["is IPv6 loopback", ["::1"]],
    ["is IPv4-mapped loopback", ["::ffff:127.0.0.1"]],
    ["is listed with public addresses", ["192.0.2.1", "8.8.8.8", "127.0.0.1"]],
  ])("gets no connection when a name's address %s", async (_, addresses) => {
    const { port, sockets } = await receive((response) => response.end());
    const client = connect({ allowHttp: true, resolve: async () => addresses });
    expect(await client.request(get(`http://hooks.example.com:${port}/`))).toEqual(refused);
    expect(sockets).toHaveLength(0);
  });
});

describe("a name", () => {
  it("is resolved once for a connection, which goes to the checked address", async () => {
    const { port, received } = await receive((response) => response.end());
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const asked: string[] = [];
    const client = connectLocally({
      async resolve(name) {
        asked.push(name);
        return answers.shift() ?? [];
      },
    });
    const url = `http://hooks.example.com:${port}/`;
    expect(await client.request(get(url))).toMatchObject({ kind: "response", status: 200 });
    expect(asked).toEqual(["hooks.example.com"]);
    expect(received[0]?.headers.host).toBe(`hooks.example.com:${port}`);
  });

  it("is checked again for each connection", async () => {
    const { port, sockets } = await receive((response) => response.setHeader("connection", "close").end());
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const client = connectLocally({ resolve: async () => answers.shift() ?? [] });
    const url = `http://hooks.example.com:${port}/`;
    expect(await client.request(get(url))).toMatchObject({ status: 200 });
    expect(await client.request(get(url))).toEqual(refused);
    expect(sockets).toHaveLength(1);
  });

  it("does not reuse the connection of another name", async () => {
    const { port, sockets } = await receive((response) => response.end());
    const asked: string[] = [];
    const client = connectLocally({
      async resolve(name) {
        asked.push(name);
        return ["127.0.0.1"];
      },
    });
    for (const name of ["a", "a", "b"]) {
      await client.request(get(`http://${name}.example.com:${port}/`));
      // A connection is free after undici has handled the end of its response.
      await setImmediate();
    }
    expect(asked).toEqual(["a.example.com", "b.example.com"]);
    expect(sockets).toHaveLength(2);
  });

  it("is tried with its next address if an address does not accept connections", async () => {
    const { port } = await receive((response) => response.end());
    const client = connectLocally({ resolve: async () => ["127.0.0.2", "127.0.0.1"] });
    expect(await client.request(get(`http://hooks.example.com:${port}/`))).toMatchObject({ status: 200 });
  });

  it("without an address is not found", async () => {
    const client = connect({
      resolve: () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
    });
    const failed = { kind: "connection-failed", reason: "dns-failed", sent: false };
    expect(await client.request(get("https://hooks.example.com/"))).toEqual(failed);
  });
});

describe("TLS", () => {
  const tlsFailed = { kind: "connection-failed", reason: "tls-failed", sent: false };

  it("is verified by the URL's name, not by the address", async () => {
    const { port, received } = await receiveTls((response) => response.end());
    const client = connect({ allowLoopback: true, resolve: async () => ["127.0.0.1"] });
    for (const name of ["receiver.example.com", "receiver.example.com."])
      expect(await client.request(get(`https://${name}:${port}/`))).toMatchObject({ status: 200 });
    expect(await client.request(get(`https://other.example.com:${port}/`))).toEqual(tlsFailed);
    expect(received).toHaveLength(2);
  });

  it("to an address requires a certificate of a known authority for that address", async () => {
    const { port } = await receiveTls((response) => response.end());
    const client = connect({ allowLoopback: true });
    expect(await client.request(get(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
    expect(await client.request(get(`https://127.0.0.2:${port}/`))).toMatchObject({
      kind: "connection-failed",
    });
    const another = connect({ allowLoopback: true, ca: "" });
    expect(await another.request(get(`https://127.0.0.1:${port}/`))).toEqual(tlsFailed);
  });
});
