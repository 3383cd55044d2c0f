import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type Mutation, withHeaders } from "../message.ts";

const to = (change: (body: Buffer) => Buffer | string): Mutation => {
  return (message) => ({ ...message, body: Buffer.from(change(message.body)) });
};
const nest = (depth: number) => `${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`;

const whole = [
  "",
  "{",
  "[]",
  "null",
  '"canary"',
  "1e999",
  "{'memberId':'canary'}",
  '{"memberId":"canary",}',
  '{"__proto__":{"memberId":"canary"}}',
  '{"memberId":"canary","memberId":"canary2"}',
  '{"0":{"json":{}}}',
  "memberId=canary&email=canary",
  "<canary/>",
  nest(40),
  nest(8_000),
  "[".repeat(60_000),
  '"'.padEnd(65_000, "\\u0000"),
  `{"memberId":"${"canary".repeat(12_000)}"}`,
  "x".repeat(2_000_000),
].map((body) => to(() => body));

const changes = [
  to((body) => body.subarray(0, body.length / 2)),
  to((body) => Buffer.concat([body, body])),
  to((body) => `\ufeff${body}`),
  to((body) => Buffer.from(body.toString(), "utf16le")),
  to((body) => Buffer.concat([body, Buffer.from([0xff])])),
  to((body) => body.toString().replace("{", '{"__proto__":{"memberId":"canary"},')),
  to((body) => body.toString().replace(/"canary/, '"\u0000canary')),
  to((body) => body.toString().replace(/"canary/, '"\\ud800canary')),
  to((body) => Buffer.from(body.toString().replace(/canary/, "canar\u00fd"), "latin1")),
  (message: ReturnType<Mutation>) =>
    withHeaders({ ...message, body: gzipSync(message.body) }, ["Content-Encoding", "gzip"]),
];

export const bodyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...whole) },
  { weight: 3, arbitrary: fc.constantFrom(...changes) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => to(() => Buffer.from(bytes))) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(1_500), fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([place, bytes]) =>
      to((body) => {
        const at = place % (body.length + 1);
        return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + bytes.length)]);
      }),
    ),
  },
);
