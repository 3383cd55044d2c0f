import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Environment, KeyOwner } from "@cardbridge/domain";
import type { GenerateKey } from "@cardbridge/service";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 24;
const visibleLength = 4;
const shape = new RegExp(`^cb_(?:int_)?(live|test)_[0-9A-Za-z]{${secretLength + 6}}$`);

/**
 * Creates an API key: `cb_live_` or `cb_test_` for a platform, `cb_int_live_` or `cb_int_test_` for an internal app, 24
 * random letters and digits (142 bits), and a checksum of 6 characters, which detects a mistyped key without a query.
 *
 * @param cell the letter or digit of the cell, which then is the first of the 24
 */
export function generateApiKey(
  environment: Environment,
  owner: KeyOwner = "platform",
  cell: string = "",
): string {
  const length = secretLength - cell.length;
  const secret = Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length)));
  return withChecksum(`cb_${owner === "internal" ? "int_" : ""}${environment}_${cell}${secret.join("")}`);
}

/** Creates keys of an environment and a cell, each with its prefix and hash, which are stored. */
export function keyGenerator(environment: Environment, cell?: string): GenerateKey {
  return (owner) => {
    const key = generateApiKey(environment, owner, cell);
    return { key, prefix: prefixOf(key), hash: hashApiKey(key) };
  };
}

/** Adds the checksum to a key's prefix and secret. */
export function withChecksum(start: string): string {
  return start + checksum(start);
}

export function isWellFormed(key: string): boolean {
  return shape.test(key) && key.endsWith(checksum(key.slice(0, -6)));
}

/** The environment in a well-formed key. */
export function environmentOf(key: string): Environment {
  return shape.exec(key)?.[1] === "live" ? "live" : "test";
}

/** The visible start of a key: its kind and 4 characters. The rest has 119 random bits. */
export function prefixOf(key: string): string {
  return key.slice(0, key.lastIndexOf("_") + 1 + visibleLength);
}

/** SHA-256, the only stored form of a key. Random keys need no salt. */
export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < 6; i += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** The public keys of the two demo platforms, an internal app and the console. They are valid only with the embedded database. */
export const demoKeys = {
  first: withChecksum("cb_test_DemoPlatformOne000000000"),
  second: withChecksum("cb_test_DemoPlatformTwo000000000"),
  /** Of an internal app that calls for every platform, without persons. */
  app: withChecksum("cb_int_test_DemoApp00000000000000000"),
  /** Has the scope ops.persons, so it does nothing without a signed-in person. */
  console: withChecksum("cb_int_test_DemoConsole0000000000000"),
};

export function isDemoKey(key: string): boolean {
  return Object.values(demoKeys).includes(key);
}
