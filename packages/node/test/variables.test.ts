import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { readVariables, secret, secretNames } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "cardbridge-node-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const schema = z.object({
  RATE_LIMIT_READS: z.string().optional(),
  LOG_LEVEL: z.string().optional(),
  PORT: z.string().optional(),
  SIGNING_KEY: secret(z.string().optional()),
});
const removed = { READS_PER_MINUTE: "set RATE_LIMIT_READS", FORMER_KEY: "set SIGNING_KEY" };
const reasonsOf = (environment: NodeJS.ProcessEnv) => readVariables(environment, schema, removed).reasons;

describe("a secret", () => {
  it("can be in a file, without its trailing line break", () => {
    expect(secretNames(schema)).toEqual(["SIGNING_KEY"]);
    const environment = { SIGNING_KEY_FILE: file("key", "secret\n"), PORT: "" };
    expect(readVariables(environment, schema)).toEqual({
      variables: { ...environment, PORT: undefined, SIGNING_KEY: "secret" },
      reasons: [],
    });
  });

  it.each([
    ["is missing", () => join(folder, "nowhere"), "SIGNING_KEY_FILE cannot be read (ENOENT)."],
    ["is empty", () => file("empty", "\n"), "SIGNING_KEY_FILE is empty."],
  ])("in a file that %s is reported", (_, path, reason) => {
    expect(reasonsOf({ SIGNING_KEY_FILE: path() })).toEqual([reason]);
  });

  it("that is also in a variable is rejected", () => {
    const both = { SIGNING_KEY: "one", SIGNING_KEY_FILE: file("two", "two") };
    expect(reasonsOf(both)).toEqual(["SIGNING_KEY and SIGNING_KEY_FILE are both set: remove one."]);
  });
});

describe("a name", () => {
  it.each([
    ["RATE_LIMT_READS", "RATE_LIMIT_READS"],
    ["RATE_LIMIT_RAEDS", "RATE_LIMIT_READS"],
    ["LOG_LEVELS", "LOG_LEVEL"],
    ["SIGNINGKEY_FILE", "SIGNING_KEY_FILE"],
  ])("that is probably mistyped is rejected: %s", (name, near) => {
    expect(reasonsOf({ [name]: "1" })).toEqual([`${name} is not known: set ${near}, or remove it.`]);
  });

  it.each(["PORTS", "HOST", "LOG_LEAVES", "RATE_LIMITS", "PATH"])("of another program is not: %s", (name) => {
    expect(reasonsOf({ [name]: "1" })).toEqual([]);
  });

  it("that begins as four known ones is rejected, and OpenTelemetry's are not", () => {
    const known = ["URL", "CLIENT_ID", "TIMEOUT", "FILES_URL"];
    const schemaOf = (word: string) =>
      z.object(Object.fromEntries(known.map((one) => [`${word}_${one}`, z.string().optional()])));
    expect(
      readVariables({ PROVIDER_ADDRESSES: "1", HOST_ADDRESSES: "1" }, schemaOf("PROVIDER")).reasons,
    ).toEqual(["PROVIDER_ADDRESSES is not known: remove it."]);
    expect(readVariables({ OTEL_ADDRESSES: "1" }, schemaOf("OTEL")).reasons).toEqual([]);
  });

  it("of a former variable is rejected with what to do, also with its file", () => {
    expect(reasonsOf({ READS_PER_MINUTE: "1", FORMER_KEY_FILE: "/key" })).toEqual([
      "READS_PER_MINUTE is not used: set RATE_LIMIT_READS.",
      "FORMER_KEY_FILE is not used: set SIGNING_KEY.",
    ]);
  });

  it("with an empty value counts as absent", () => {
    expect(reasonsOf({ RATE_LIMT_READS: "", READS_PER_MINUTE: "" })).toEqual([]);
  });
});
