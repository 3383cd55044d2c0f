import { expect, it } from "vitest";
import { joinSmall } from "../../../src/http/middleware/join-small.ts";

it("joins a body that arrives byte by byte, in its order", () => {
  const taken: Buffer[] = [];
  const chunks = joinSmall((chunk) => void taken.push(chunk));
  const body = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251));
  for (const byte of body) chunks.add(Buffer.from([byte]));
  chunks.flush();
  expect(taken.map(({ length }) => length)).toEqual([256, 256, 256, 232]);
  expect(Buffer.concat(taken)).toEqual(body);
});

it("passes a large chunk on at once, after the small ones before it", () => {
  const taken: Buffer[] = [];
  const chunks = joinSmall((chunk) => void taken.push(chunk));
  const large = Buffer.alloc(65_536);
  chunks.add(large);
  expect(taken[0]).toBe(large);
  chunks.add(Buffer.from("a"));
  chunks.add(large);
  chunks.flush();
  expect(taken.map(({ length }) => length)).toEqual([65_536, 65_537]);
});
