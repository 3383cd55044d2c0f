import fc from "fast-check";
import { type Message, type Mutation, withHeaders, without } from "../message.ts";

const unframed = (message: Message) => ({
  ...without(message, "content-length", "transfer-encoding"),
  isWhole: false,
});

/** Changes the framing headers of the body, and sometimes its bytes. */
const framed = (
  headers: [string, string][],
  change: (body: Buffer) => Buffer | string = (body) => body,
): Mutation => {
  return (message) =>
    withHeaders({ ...unframed(message), body: Buffer.from(change(message.body)) }, ...headers);
};
const chunk = (body: Buffer, size = body.length.toString(16)) =>
  Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
const smuggled = "GET /openapi/v1/cards/list?memberId=alice HTTP/1.1\r\nhost: a\r\n\r\n";
const chunked: [string, string] = ["Transfer-Encoding", "chunked"];

const framings: Mutation[] = [
  (message) => ({ ...framed([chunked], chunk)(message), isWhole: message.isWhole }),
  framed([chunked], (body) => chunk(body, `${body.length.toString(16)};canary=canary`)),
  framed([chunked], (body) => chunk(body, (body.length + 1).toString(16))),
  framed([chunked], (body) => chunk(body, "0")),
  framed([chunked], (body) => chunk(body, "zz")),
  framed([chunked], (body) => chunk(body, `0x${body.length.toString(16)}`)),
  framed([chunked], (body) => `${chunk(body)}`.replaceAll("\r\n", "\n")),
  framed([chunked], (body) => `${chunk(body).subarray(0, -2)}authorization: canary\r\nhost: canary\r\n\r\n`),
  framed([chunked], (body) => `0\r\n\r\n${smuggled}${body}`),
  framed([chunked, chunked], chunk),
  framed([["Transfer-Encoding", "gzip, chunked"]], chunk),
  framed([["Transfer-Encoding", "\u000bchunked"]], chunk),
  framed([["Transfer-Encoding ", "chunked"]], chunk),
  framed([chunked, ["Content-Length", "4"]], (body) => chunk(body)),
  framed([["Content-Length", "0"]], (body) => `${smuggled}${body}`),
  framed([
    ["Content-Length", "1"],
    ["Content-Length", "2"],
  ]),
  framed([["Content-Length", "+1"]]),
  framed([["Content-Length", "99999999999999999999"]]),
  framed([["Content-Length", "100000"]]),
  (message) => framed([["Content-Length", String(message.body.length + 1)]])(message),
  (message) => framed([["Content-Length", String(Math.max(message.body.length - 1, 0))]])(message),
  (message) => withHeaders({ ...unframed(message), version: "HTTP/1.0" }),
  (message) => withHeaders(message, ["Expect", "100-continue"]),
  (message) =>
    withHeaders(without({ ...message, isWhole: false }, "connection"), ["Connection", "keep-alive"]),
];
const versions = ["HTTP/1.0", "HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/1.1 ", "http/1.1", "", "canary"];

export const framingMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...framings) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...versions)
      .map((version) => (message: Message) => ({ ...message, version, isWhole: false })),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(fc.nat(1_000), fc.uint8Array({ minLength: 1, maxLength: 8 })), {
        minLength: 1,
        maxLength: 3,
      })
      .map((damage) => (message: Message) => ({ ...message, damage, isWhole: false })),
  },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ minLength: 1, maxLength: 3_000 })
      .map((bytes) => (message: Message) => ({ ...message, damage: [[0, bytes] as const], isWhole: false })),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 2, max: 4 }).map((pieces) => (message: Message) => ({ ...message, pieces })),
  },
);
