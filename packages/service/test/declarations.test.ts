import { defaultPolicies, isOperatorScope, messages, parseInput } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createOperations, listOperations, type Operation } from "../src/index.ts";

/* Requirements on every declaration. They cover new operations automatically. */
const operations = createOperations(defaultPolicies);
const all: Operation[] = listOperations(operations);

/** What an input can name, in the order in which it counts, and the error if that does not exist. */
const subjects = [
  ["platformId", "PLATFORM_NOT_FOUND"],
  ["kycRecordId", "KYC_RECORD_NOT_FOUND"],
  ["keyId", "KEY_NOT_FOUND"],
  ["proposalId", "PROPOSAL_NOT_FOUND"],
  ["pauseId", "PAUSE_NOT_FOUND"],
] as const;

const hasKeys = ({ actors }: Operation) => actors.includes("platform") || actors.includes("internal");

describe.each(all)("$id", (operation) => {
  const { id, kind, actors, scopes, platform, idempotent, errors, audit } = operation;

  it("has its path in createOperations as id", () => {
    expect(id).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
    const paths = Object.entries(operations).flatMap(([noun, verbs]) =>
      Object.entries(verbs).map(([verb, one]): [string, unknown] => [`${noun}.${verb}`, one]),
    );
    expect(paths.filter(([, one]) => one === operation).map(([path]) => path)).toEqual([id]);
  });

  it("has a summary without a full stop and a description with a full stop", () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description).toMatch(/^[A-Z].*\.$/s);
  });

  it("has an example that its schemas and rules accept", () => {
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

  it("has rules with different ids", () => {
    const rules = operation.rules.map((rule) => rule.id);
    expect(rules).toEqual([...new Set(rules)]);
  });

  it("declares the error of what its input names", () => {
    const fields = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
    const named = subjects.find(([field]) => fields.includes(field));
    const reaches = operation.reach === "platform" || operation.reach === "owner";
    if (reaches && named) expect(errors).toContain(named[1]);
  });

  it("requires a scope if and only if keys may run it", () => {
    expect(actors).not.toEqual([]);
    expect(scopes.length > 0).toBe(hasKeys(operation));
  });

  it("requires only scopes of operators and has a reach, unless platforms may run it", () => {
    if (actors.includes("platform")) {
      expect(scopes.filter((name) => !isOperatorScope(name))).not.toEqual([]);
      expect(operation.reach).toBeUndefined();
    } else if (hasKeys(operation)) {
      expect(scopes.every(isOperatorScope)).toBe(true);
      expect(operation.reach).toBeDefined();
      expect(operation.platform).toBe(false);
    }
  });

  it("requires a platform if platforms may run it, and supports an Idempotency-Key only for writes", () => {
    if (actors.includes("platform")) expect(platform).toBe(true);
    if (idempotent) expect(kind).toBe("write");
  });

  it("lists each error code once, and each has a message", () => {
    expect(Object.keys(messages)).toEqual(expect.arrayContaining([...errors]));
    expect(errors).toEqual([...new Set(errors)]);
  });

  it("lists each audited outcome once, and only its own outcomes and that of a missing scope", () => {
    expect(["done", "replayed", "SCOPE_MISSING", ...errors]).toEqual(expect.arrayContaining([...audit]));
    expect(audit).toEqual([...new Set(audit)]);
  });
});

it("declares every operation once", () => {
  expect(all.map(({ id }) => id)).toEqual([...new Set(all.map(({ id }) => id))]);
});
