import fc from "fast-check";
import { type Mutation, withHeaders, without } from "../message.ts";
import { nastyText } from "../nasty-text.ts";

const instead = (name: string, ...values: string[]): Mutation => {
  return (message) =>
    withHeaders(without(message, name), ...values.map((value): [string, string] => [name, value]));
};
const also = (...headers: [string, string][]): Mutation => {
  return (message) => withHeaders(message, ...headers);
};

const mediaTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=canary",
  "application/json; charset=utf-16",
  "application/json; charset=UTF-8",
  'application/json;charset="utf-8"; canary=1',
  "application/json, text/plain",
  "application/problem+json",
  "*/*",
  "",
];
const hosts = ["", "b", "a b", "a@canary.example.com", "[::1", "xn--", "\u00e9", "a,b"];
const others: Mutation[] = [
  (message) => without(message, "host"),
  (message) => without(message, "content-type"),
  also(["Host", "canary.example.com"]),
  also(["Authorization", "Bearer canary"]),
  also(["Content-Type", "text/plain"]),
  also(["Content-Encoding", "gzip"]),
  also(["Accept", "application/jsonl"]),
  also(["Accept", "text/event-stream"]),
  also(["trpc-accept", "application/jsonl"]),
  also(["trpc-batch-mode", "stream"]),
  also(["Origin", "https://canary.example.com"]),
  also(["Sec-Fetch-Site", "cross-site"], ["Sec-Fetch-Mode", "cors"]),
  also(["Access-Control-Request-Method", "POST"], ["Access-Control-Request-Headers", "authorization"]),
  also(["X-Forwarded-For", "canary"], ["X-Forwarded-Host", "canary"], ["Forwarded", "for=canary"]),
  also(["X-Request-Id", "canary"]),
  also(["X-Cardbridge-Platform", "plt_demo_two"]),
  also(["X-Cardbridge-Platform", "internal"]),
  also(["Cookie", "canary=canary; platform=plt_demo_two"]),
  also(["Range", "bytes=0-0,-1"]),
  also(["If-None-Match", "*"]),
  also(["Expect", "canary"]),
  also(["Upgrade", "websocket"], ["Connection", "upgrade"]),
  also(["Upgrade", "h2c"], ["HTTP2-Settings", "AAMAAABkAAQAAP__"]),
  also(["TE", "trailers"], ["Trailer", "authorization"]),
  also(["__proto__", "canary"], ["constructor", "canary"]),
  also(["Canary Canary", "canary"]),
  also(["", "canary"]),
  also(["X", "canary".repeat(4_000)]),
  (message) =>
    withHeaders(message, ...Array.from({ length: 700 }, (_, i): [string, string] => [`X-${i}`, "canary"])),
];

export const headerMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...mediaTypes).map((type) => instead("content-type", type)) },
  { weight: 1, arbitrary: fc.constantFrom(...hosts).map((host) => instead("host", host)) },
  { weight: 4, arbitrary: fc.constantFrom(...others) },
  { weight: 2, arbitrary: nastyText.map((key) => also(["Idempotency-Key", key])) },
  { weight: 1, arbitrary: fc.nat(20).map((number) => also(["Idempotency-Key", `canary-${number}`])) },
  { weight: 1, arbitrary: nastyText.map((text) => also(["X-Canary", text])) },
);
