import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { withConnection } from "../src/connect.ts";
import { apiKeysRepository, putApiKey } from "../src/index.ts";
import { makeWorld } from "./world.ts";

const { database, platform, urls } = await makeWorld();
const keys = apiKeysRepository(database);
const platformId = await platform();

const hashOf = (key: string) => createHash("sha256").update(key).digest();
const aKey = (keyId: string) => ({
  platformId,
  keyId,
  name: "A key",
  prefix: "cbk_",
  hash: hashOf(keyId),
  scopes: ["cards:read", "kyc:write"] as const,
});

test("a live key is found by its hash, with its platform and scopes", async () => {
  await putApiKey(urls.ownerUrl, aKey("live"));
  const scopes = ["cards:read", "kyc:write"];
  expect(await keys.find(hashOf("live"))).toEqual({ keyId: "live", platformId, scopes });
});

test("an unknown hash finds nothing", async () => {
  expect(await keys.find(hashOf("unknown"))).toBeNull();
});

test("a key is live until it expires", async () => {
  await putApiKey(urls.ownerUrl, { ...aKey("later"), expiresAt: new Date("2999-01-01") });
  expect(await keys.find(hashOf("later"))).not.toBeNull();
  await putApiKey(urls.ownerUrl, { ...aKey("later"), expiresAt: new Date("2001-01-01") });
  expect(await keys.find(hashOf("later"))).toBeNull();
});

test("a revoked key is found no more, and putting it again does not bring it back", async () => {
  await putApiKey(urls.ownerUrl, aKey("revoked"));
  await withConnection(urls.adminUrl, (client) =>
    client.query("update api_keys set revoked_at = now() where id = 'revoked'"),
  );
  await putApiKey(urls.ownerUrl, aKey("revoked"));
  expect(await keys.find(hashOf("revoked"))).toBeNull();
});

test("a scope that nobody knows any more drops out", async () => {
  await putApiKey(urls.ownerUrl, aKey("old"));
  await withConnection(urls.adminUrl, (client) =>
    client.query("update api_keys set scopes = '{cards:write,kyc:read}' where id = 'old'"),
  );
  expect(await keys.find(hashOf("old"))).toMatchObject({ scopes: ["kyc:read"] });
});
