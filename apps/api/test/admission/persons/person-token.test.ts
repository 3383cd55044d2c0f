import { Failure } from "@cardbridge/domain";
import fc from "fast-check";
import { createLocalJWKSet, exportSPKI } from "jose";
import { describe, expect, it } from "vitest";
import { createTokenVerifier } from "../../../src/admission/persons/person-token.ts";
import { audience, makeIssuerKey, signToken } from "../../support/issuer.ts";

const issuer = "https://issuer.example.com";
const key = await makeIssuerKey("key-1");
const rsa = await makeIssuerKey("key-2", "RS256");
const stranger = await makeIssuerKey("key-1");
const findKey = createLocalJWKSet({ keys: [key.jwk, rsa.jwk] });
const verify = createTokenVerifier({ issuer, audience, findKey });

const now = Math.floor(Date.now() / 1_000);
const sign = (claims = {}, header = {}, by: typeof key = key) =>
  signToken(by, { iss: issuer, ...claims }, header);
const base64 = (value: object | string) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const strangersAddress = { jku: "http://127.0.0.1:1/keys", x5u: "http://127.0.0.1:1/chain" };
const claims = { iss: issuer, aud: audience, sub: "subject-1", iat: now, exp: now + 300 };

/** The rule by which a token is refused; `accepted` otherwise. */
async function ruleOf(token: string): Promise<string> {
  try {
    await verify(token);
    return "accepted";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe("PERSON_INVALID");
    const [violation, ...more] = error.details.violations ?? [];
    expect(more).toEqual([]);
    return violation?.rule ?? "";
  }
}

describe("accepts", () => {
  it.each<[string, () => Promise<string>]>([
    ["an access token", () => sign()],
    ["a JWT without a type", () => sign({}, { typ: undefined })],
    ["the type JWT", () => sign({}, { typ: "JWT" })],
    ["RS256", () => sign({}, {}, rsa)],
    ["one of several audiences", () => sign({ aud: ["account", audience] })],
    ["a clock that is seconds ahead", () => sign({ iat: now + 3, nbf: now + 3 })],
  ])("%s", async (_name, token) => {
    expect(await ruleOf(await token())).toBe("accepted");
  });

  it("a token for an hour after its issue at most, whatever its expiry", async () => {
    const { exp } = await verify(await sign({ iat: now - 60, exp: now + 86_400 }));
    expect(exp).toBe(now - 60 + 3_600);
  });
});

describe("refuses", () => {
  const hmac = (secret: string | Uint8Array) =>
    signToken({ ...key, alg: "HS256", privateKey: Buffer.from(secret) }, { iss: issuer });

  it.each<[string, string, () => Promise<string> | string]>([
    ["another audience", "token-audience", () => sign({ aud: "console" })],
    ["no audience", "token-audience", () => sign({ aud: undefined })],
    ["another issuer", "token-issuer", () => sign({ iss: "https://other.example.com" })],
    ["an issuer with a slash", "token-issuer", () => sign({ iss: `${issuer}/` })],
    ["no issuer", "token-issuer", () => sign({ iss: undefined })],
    ["an expired token", "token-expired", () => sign({ iat: now - 400, exp: now - 100 })],
    ["no expiry", "token-expired", () => sign({ exp: undefined })],
    ["a token of two hours ago", "token-age", () => sign({ iat: now - 7_200, exp: now + 300 })],
    ["no time of issue", "token-age", () => sign({ iat: undefined })],
    ["a time of issue in the future", "token-age", () => sign({ iat: now + 600, exp: now + 900 })],
    ["a token that is not valid yet", "token-not-yet-valid", () => sign({ nbf: now + 600 })],
    ["a logout token", "token-malformed", () => sign({}, { typ: "logout+jwt" })],
    ["no signature", "token-algorithm", () => `${base64({ alg: "none", kid: "key-1" })}.${base64(claims)}.`],
    [
      "HS256 with the public key as PEM",
      "token-algorithm",
      async () => hmac(await exportSPKI(key.publicKey)),
    ],
    ["HS256 with the public key as JWK", "token-algorithm", () => hmac(JSON.stringify(key.jwk))],
    [
      "HS256 with a coordinate of the public key",
      "token-algorithm",
      () => hmac(Buffer.from(key.jwk.x ?? "", "base64url")),
    ],
    ["a key that the issuer does not have", "token-key", () => sign({}, { kid: "key-9" })],
    ["no kid that fits the algorithm", "token-key", () => sign({}, { kid: "key-2" })],
    ["a stranger's signature", "token-signature", () => sign({}, {}, stranger)],
    [
      "changed claims",
      "token-signature",
      async () => {
        const [header, , signature] = (await sign()).split(".");
        return `${header}.${base64({ ...claims, sub: "subject-2" })}.${signature}`;
      },
    ],
    ["a key in the header", "token-signature", () => sign({}, { jwk: stranger.jwk }, stranger)],
    ["an address of keys in the header", "token-signature", () => sign({}, strangersAddress, stranger)],
    [
      "critical headers",
      "token-malformed",
      async () => {
        const [, payload, signature] = (await sign()).split(".");
        return `${base64({ alg: "ES256", kid: "key-1", crit: ["exp"], exp: 1 })}.${payload}.${signature}`;
      },
    ],
    ["more than 8 KB", "token-size", () => sign({ filler: "x".repeat(8_192) })],
    ["an empty text", "token-malformed", () => ""],
    ["two tokens", "token-malformed", async () => `${await sign()}, ${await sign()}`],
    ["an encrypted token", "token-malformed", () => "a.b.c.d.e"],
  ])("%s: %s", async (_name, rule, token) => {
    expect(await ruleOf(await token())).toBe(rule);
  });

  it("every mutation of a token, without an unexpected error", async () => {
    const token = await sign();
    const characters = fc.constantFrom(...'.-_AZaz09{}"= \u0000é');
    const mutation = fc.oneof(
      fc
        .tuple(fc.nat(token.length - 1), characters)
        .map(([at, c]) => token.slice(0, at) + c + token.slice(at + 1)),
      fc.tuple(fc.nat(token.length), characters).map(([at, c]) => token.slice(0, at) + c + token.slice(at)),
      fc.nat(token.length - 1).map((at) => token.slice(0, at)),
      fc
        .tuple(fc.jsonValue(), fc.jsonValue())
        .map(
          ([header, payload]) =>
            `${base64(JSON.stringify(header))}.${base64(JSON.stringify(payload))}.${token.split(".")[2]}`,
        ),
      fc
        .record({
          alg: fc.constantFrom("none", "None", "HS256", "HS512", "ES256", "RS256", "PS256", "EdDSA", "", 1),
          kid: fc.constantFrom("key-1", "key-2", "../../etc/passwd", "' or 1=1 --", "", null, 1, {}),
          typ: fc.constantFrom("at+jwt", "JWT", "dpop+jwt", 1),
          crit: fc.constantFrom(undefined, [], ["b64"], ["exp"], "b64"),
          ...{ b64: fc.boolean(), zip: fc.constantFrom(undefined, "DEF") },
        })
        .map((header) => `${base64(header)}.${base64(claims)}.${token.split(".")[2]}`),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(mutation, async (mutated) => {
        fc.pre(!sameToken(mutated, token));
        expect(await ruleOf(mutated)).toMatch(/^token-/);
      }),
      { numRuns: 1_500 },
    );
  });

  it("malformed claims under a valid signature, without an unexpected error", async () => {
    const claim = fc.constantFrom("iss", "aud", "iat", "exp", "nbf");
    await fc.assert(
      fc.asyncProperty(claim, fc.jsonValue(), async (name, value) => {
        fc.pre(name !== "nbf" || typeof value !== "number");
        fc.pre(typeof value !== "number" || value < now - 7_200 || value > now + 7_200);
        fc.pre(name !== "exp" || typeof value !== "number" || value < now);
        expect(await ruleOf(await sign({ [name]: value }))).toMatch(/^token-/);
      }),
      { numRuns: 300 },
    );
  });
});

/** Base64 may have spare bits: two texts can be the same token. */
function sameToken(one: string, other: string): boolean {
  const bytes = (text: string) =>
    text
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString("hex"))
      .join(".");
  return bytes(one) === bytes(other);
}
