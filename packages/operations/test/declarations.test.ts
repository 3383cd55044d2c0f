import { defaultPolicies, messages, parseInput, platformScope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createOperations, listOperations, type Operation } from "../src/index.ts";

/** What holds for the declaration of every operation; a new operation is in it by itself. */
const operations = createOperations(defaultPolicies);
const all: Operation[] = listOperations(operations);

const hasKeys = ({ actors }: Operation) => actors.includes("platform") || actors.includes("internal");

describe.each(all)("$id", (operation) => {
  const { id, kind, actors, scopes, platform, idempotent, errors, audit } = operation;

  it("is named by its place in createOperations", () => {
    expect(id).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
    const places = Object.entries(operations).flatMap(([noun, verbs]) =>
      Object.entries(verbs).map(([verb, one]): [string, unknown] => [`${noun}.${verb}`, one]),
    );
    expect(places.filter(([, one]) => one === operation).map(([place]) => place)).toEqual([id]);
  });

  it("has a summary without a full stop, and a description with one", () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description).toMatch(/^[A-Z].*\.$/s);
  });

  it("has an example that its input, its rules and its output accept", () => {
    const { input, output } = operation.example;
    expect(parseInput(operation.input, operation.rules, input)).toMatchObject({ ok: true });
    expect(operation.output.parse(output)).toEqual(output);
  });

  it("has a maximum for every array of its input", () => {
    const published = JSON.stringify(
      z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }),
    );
    const arrays = [...published.matchAll(/"type":"array"/g)];
    expect([...published.matchAll(/"maxItems":\d+/g)]).toHaveLength(arrays.length);
  });

  it("has rules of different names", () => {
    const rules = operation.rules.map((rule) => rule.id);
    expect(rules).toEqual([...new Set(rules)]);
  });

  it("asks for a scope exactly where keys may run it", () => {
    expect(actors).not.toEqual([]);
    expect(scopes.length > 0).toBe(hasKeys(operation));
  });

  it("asks for admin alone, and only where platforms may not run it", () => {
    if (scopes.includes("admin")) {
      expect(scopes).toEqual(["admin"]);
      expect(actors).toContain("internal");
      expect(actors).not.toContain("platform");
    } else {
      expect(platformScope.options).toEqual(expect.arrayContaining([...scopes]));
    }
  });

  it("names a platform where platforms may run it, and takes an Idempotency-Key only where it changes something", () => {
    if (actors.includes("platform")) expect(platform).toBe(true);
    if (idempotent) expect(kind).toBe("write");
  });

  it("fails with codes that have a message, each named once", () => {
    expect(Object.keys(messages)).toEqual(expect.arrayContaining([...errors]));
    expect(errors).toEqual([...new Set(errors)]);
  });

  it("audits outcomes that it has, each named once", () => {
    expect(["done", "replayed", ...errors]).toEqual(expect.arrayContaining([...audit]));
    expect(audit).toEqual([...new Set(audit)]);
  });
});

it("has every declaration once", () => {
  expect(all.map(({ id }) => id)).toEqual([...new Set(all.map(({ id }) => id))]);
});
