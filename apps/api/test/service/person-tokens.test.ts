import { operatorScope } from "@cardbridge/domain";
import fc from "fast-check";
import { exportSPKI } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { audience, makeIssuerKey, signToken, startIssuer } from "../support/issuer.ts";
import { makeInternalKey } from "../support/keys.ts";
import { startTestService } from "../support/test-service.ts";

/*
 * Changed and forged tokens of persons over HTTP, at the whole service: each one is refused as the caller's mistake, and
 * no part of it is logged.
 */
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let service: Awaited<ReturnType<typeof startTestService>>;
let appKey: string;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startTestService({ events: false, env: { ...issuer.env, LOG_LEVEL: "debug" } });
  appKey = await makeInternalKey(service.adminUrl, operatorScope.options);
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const canary = "canary-subject";
const now = () => Math.floor(Date.now() / 1_000);
const claimsOf = (more = {}) => ({
  iss: issuer.issuer,
  aud: audience,
  sub: canary,
  name: "canary-name",
  iat: now(),
  exp: now() + 300,
  roles: ["administrator"],
  ...more,
});
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

async function answerTo(token: string): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${appKey}`, "x-cardbridge-person": token };
  const response = await fetch(`${service.url}/trpc/persons.me`, { headers });
  return { status: response.status, text: await response.text() };
}

/** No line and no response has a part of the token that could identify it or its person. */
function expectUnsaid(token: string, text: string): void {
  const parts = token.split(".").filter((part) => part.length >= 16);
  const said = [...service.lines.splice(0), text].join("\n");
  for (const part of [...parts, "canary"]) expect(said).not.toContain(part);
}

async function expectRefused(token: string): Promise<void> {
  const { status, text } = await answerTo(token);
  expect({ status, code: /"code":"([A-Z_]{5,})","message/.exec(text)?.[1] }).toEqual({
    status: 401,
    code: "PERSON_INVALID",
  });
  expectUnsaid(token, text);
}

it("a valid token is accepted, and not logged", async () => {
  const token = await issuer.token(claimsOf());
  const { status } = await answerTo(token);
  expect(status).toBe(200);
  expectUnsaid(token, "");
});

it("every change of a token is refused", async () => {
  const token = await issuer.token(claimsOf());
  const [header = "", payload = "", signature = ""] = token.split(".");
  const character = fc.constantFrom(...'AZaz09-_.={}"');
  const mutation = fc.oneof(
    fc
      .tuple(fc.nat(token.length - 1), character)
      .map(([at, c]) => token.slice(0, at) + c + token.slice(at + 1)),
    fc.integer({ min: 1, max: token.length - 1 }).map((at) => token.slice(0, at)),
    fc
      .tuple(fc.integer({ min: 1, max: token.length - 1 }), character)
      .map(([at, c]) => token.slice(0, at) + c + token.slice(at)),
    fc
      .record(
        {
          alg: fc.constantFrom("none", "None", "HS256", "ES256", "RS256", "EdDSA", "", 1, null),
          kid: fc.constantFrom("key-1", "../../etc/passwd", "/dev/null", "' or 1=1 --", "", null, {}),
          typ: fc.constantFrom("at+jwt", "JWT", "dpop+jwt", 1),
          crit: fc.constantFrom([], ["b64"], ["exp"], "b64"),
          b64: fc.boolean(),
          zip: fc.constant("DEF"),
          jku: fc.constant("http://127.0.0.1:1/keys"),
          x5u: fc.constant("http://127.0.0.1:1/chain"),
        },
        { requiredKeys: [] },
      )
      .map((changed) => `${base64(changed)}.${payload}.${signature}`),
    fc.jsonValue().map((claims) => `${header}.${base64(claims)}.${signature}`),
    fc.constantFrom(
      `${header}.${payload}.`,
      `${token}, ${token}`,
      `${token}.${signature}`,
      `Bearer ${token}`,
    ),
  );
  const bytes = (text: string) =>
    text
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString("hex"))
      .join(".");
  await fc.assert(
    fc.asyncProperty(mutation, async (mutated) => {
      // Base64 may have spare bits: two texts can be the same token.
      fc.pre(mutated !== "" && bytes(mutated) !== bytes(token));
      await expectRefused(mutated);
    }),
    { numRuns: 300 },
  );
});

it.each<[string, () => Promise<string>]>([
  [
    "HS256 with the public key",
    async () => {
      const secret = Buffer.from(await exportSPKI(issuer.key.publicKey));
      return signToken({ kid: "key-1", alg: "HS256", privateKey: secret }, claimsOf());
    },
  ],
  [
    "the signer's key in the header",
    async () => {
      const stranger = await makeIssuerKey("key-1");
      return signToken(stranger, claimsOf(), { jwk: stranger.jwk });
    },
  ],
  [
    "the address of the signer's keys in the header",
    async () =>
      signToken(await makeIssuerKey("key-1"), claimsOf(), {
        jku: `${service.url}/keys`,
        x5u: `${service.url}/keys`,
      }),
  ],
  ["an ID token of the client", () => issuer.token(claimsOf({ aud: "console", nonce: "n", at_hash: "h" }))],
  ["an issue in the future", () => issuer.token(claimsOf({ iat: now() + 600, exp: now() + 900 }))],
  ["a start in the future", () => issuer.token(claimsOf({ nbf: now() + 600 }))],
  ["roles as an object", () => issuer.token(claimsOf({ roles: { administrator: true } }))],
  ["roles as nested lists", () => issuer.token(claimsOf({ roles: [[["administrator"]]] }))],
  [
    "roles of the object's prototype",
    () => issuer.token(claimsOf({ roles: ["__proto__", "constructor", "toString"] })),
  ],
  [
    "900 platforms, which take more than 8 KB",
    () => issuer.token(claimsOf({ platforms: Array.from({ length: 900 }, () => "plt_1") })),
  ],
  ["a subject that is no text", () => issuer.token(claimsOf({ sub: { canary: 1 } }))],
])("%s is refused", async (_name, make) => {
  await expectRefused(await make());
});

it("malformed claims that no rule concerns give neither rights nor an error", async () => {
  const claim = fc.constantFrom(
    "name",
    "preferred_username",
    "email",
    "auth_time",
    "platforms",
    "jti",
    "__proto__",
  );
  await fc.assert(
    fc.asyncProperty(claim, fc.jsonValue(), async (name, value) => {
      const token = await issuer.token({
        ...claimsOf(),
        ...JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`),
      });
      const { status, text } = await answerTo(token);
      expect([200, 401]).toContain(status);
      if (status === 200 && name === "platforms") expect(JSON.parse(text).result.data.platforms).toEqual([]);
      service.lines.length = 0;
    }),
    { numRuns: 150 },
  );
});
