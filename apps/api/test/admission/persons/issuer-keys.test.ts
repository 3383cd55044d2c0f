import { Failure } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createIssuerKeys } from "../../../src/admission/persons/issuer-keys.ts";
import { makeIssuerKey } from "../../support/issuer.ts";

const issuer = "https://issuer.example.com";
const one = await makeIssuerKey("one");
const two = await makeIssuerKey("two");

const minute = 60_000;
const token = { payload: "", signature: "" };

/** An issuer whose documents and clock the test changes. Counts the fetches of its keys. */
function anIssuer(documents: Record<string, unknown> = {}) {
  const state = { time: 0, fetches: 0, away: false, keys: [one.jwk], failures: [] as string[] };
  const find = createIssuerKeys({
    issuer,
    now: () => state.time,
    onFailure: (reason) => void state.failures.push(reason),
    async fetchJson(url) {
      if (state.away) throw Object.assign(new Error("It is away."), { code: "ECONNREFUSED" });
      if (url.endsWith("/keys")) state.fetches += 1;
      const found: Record<string, unknown> = {
        [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: `${issuer}/keys` },
        [`${issuer}/keys`]: { keys: state.keys },
        ...documents,
      };
      return found[url];
    },
  });
  const ask = (kid: string) =>
    Promise.resolve(find({ alg: "ES256", kid }, token)).then(
      () => "found",
      (error) => (error instanceof Failure ? error.code : error.code),
    );
  return { state, ask };
}

it("fetches the keys once for all calls", async () => {
  const { state, ask } = anIssuer();
  expect(await Promise.all(Array.from({ length: 20 }, () => ask("one")))).toEqual(Array(20).fill("found"));
  state.time = 9 * minute;
  await ask("one");
  expect(state.fetches).toBe(1);
});

it("renews the keys in the background after ten minutes", async () => {
  const { state, ask } = anIssuer();
  await ask("one");
  state.keys = [two.jwk];
  state.time = 11 * minute;
  expect(await ask("one")).toBe("found");
  await expect.poll(() => state.fetches).toBe(2);
  state.time += 31_000;
  expect(await ask("one")).toBe("ERR_JWKS_NO_MATCHING_KEY");
  expect(await ask("two")).toBe("found");
});

it("fetches at most once in 30 seconds for unknown keys, however many come", async () => {
  const { state, ask } = anIssuer();
  await ask("one");
  for (let call = 0; call < 300; call += 1) {
    state.time = call * 100;
    expect(await ask(`unknown-${call}`)).toBe("ERR_JWKS_NO_MATCHING_KEY");
  }
  expect(state.fetches).toBe(1);
  state.time = 30_001;
  state.keys = [one.jwk, two.jwk];
  const flood = [ask("two"), ...Array.from({ length: 50 }, (_, call) => ask(`unknown-${call}`))];
  expect((await Promise.all(flood))[0]).toBe("found");
  expect(state.fetches).toBe(2);
});

it("uses known keys for a day while the issuer is away, and tries again", async () => {
  const { state, ask } = anIssuer();
  await ask("one");
  state.away = true;
  state.time = 23 * 60 * minute;
  expect(await ask("one")).toBe("found");
  expect(await ask("unknown")).toBe("ERR_JWKS_NO_MATCHING_KEY");
  state.time = 24 * 60 * minute + 1;
  expect(await ask("one")).toBe("SERVICE_UNAVAILABLE");
  expect(new Set(state.failures)).toEqual(new Set(["ECONNREFUSED"]));
  state.away = false;
  state.time += 5_001;
  expect(await ask("one")).toBe("found");
});

it.each([
  ["another issuer", { issuer: "https://other.example.com", jwks_uri: `${issuer}/keys` }, "other-issuer"],
  ["no address of keys", { issuer }, "malformed"],
  ["keys without TLS", { issuer, jwks_uri: "http://issuer.example.com/keys" }, "malformed"],
  ["no document", null, "malformed"],
])("refuses a discovery document with %s", async (_name, document, reason) => {
  const { state, ask } = anIssuer({ [`${issuer}/.well-known/openid-configuration`]: document });
  expect(await ask("one")).toBe("SERVICE_UNAVAILABLE");
  expect(state.failures).toEqual([reason]);
});

it("does not replace its keys by an empty set", async () => {
  const { state, ask } = anIssuer();
  await ask("one");
  state.keys = [];
  state.time = 11 * minute;
  await ask("one");
  await expect.poll(() => state.failures).toEqual(["malformed"]);
  expect(await ask("one")).toBe("found");
});
