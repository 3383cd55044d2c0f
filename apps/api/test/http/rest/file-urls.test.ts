import { describe, expect, it } from "vitest";
import { createFileUrls } from "../../../src/http/rest/file-urls.ts";

const base = "https://cards.example.com/gateway";
const id = `file_${"0".repeat(26)}`;
const clock = { now: 1_000_000_000_000 };
const urlsOf = (keyByte: number) => createFileUrls(`${base}/`, Buffer.alloc(32, keyByte), () => clock.now);
const urls = urlsOf(1);

describe("an uploaded file's URL", () => {
  it.each([
    `${base}/files/${id}`,
    `HTTPS://Cards.EXAMPLE.com:443/gateway/files/${id}`,
    `https://cards.example.com./gateway/files/${id}`,
    `https://cards.example.com/x/../gateway/./files/${id}`,
    `https://cards.example.com/%2e%2E/gateway/files/${id}`,
    `https://cards.example.com/g%61teway/%66iles/file%5f${"%30".repeat(26)}`,
    `https://cards.example.com\\gateway\\files\\${id}`,
  ])("is recognized in every spelling: %s", (url) => {
    expect(urls.fileIdOf(url)).toBe(id);
    expect(urls.signed(url).split("?expires=")[0]).toBe(`${base}/files/${id}`);
  });

  it.each([
    `https://cards.example.com/files/${id}`,
    `${base}/files/${id}?x=1`,
    `${base}/files/${id}#x`,
    `${base}/files%2f${id}`,
    `${base}/files/${id}/`,
    `https://cards.example.com/gateway//files/${id}`,
    `https://cards.example.com/gateway/%2566iles/${id}`,
    `${base}/files/${id.toUpperCase()}`,
    `http://cards.example.com/gateway/files/${id}`,
    "https://cards.example.com/docs",
  ])("is not another URL of this service: %s", (url) => {
    expect(urls.fileIdOf(url)).toBeNull();
    expect(urls.signed(url)).toBe(url);
  });

  it.each([
    `https://cards.example.com:8443/gateway/files/${id}`,
    `https://cards.example.com.evil.io/gateway/files/${id}`,
    "https://files.example.com/front.jpg?x=1",
  ])("is not a URL of another service: %s", (url) => {
    expect(urls.fileIdOf(url)).toBeUndefined();
    expect(urls.signed(url)).toBe(url);
  });

  it("may have an IPv6 address", () => {
    const urls = createFileUrls("http://[::1]:3000", Buffer.alloc(32, 1));
    expect(urls.fileIdOf(`http://[0:0::1]:3000/files/${id}`)).toBe(id);
  });

  it("is signed for one file and one hour", () => {
    const opens = (url: string, fileId = id) => {
      const { searchParams } = new URL(url);
      const [expires, signature] = [searchParams.get("expires"), searchParams.get("signature")];
      return urls.opens(fileId, expires ?? undefined, signature ?? undefined);
    };
    const url = urls.urlOf(id);
    const signed = urls.signed(url);
    expect([opens(signed), opens(signed, `file_${"1".repeat(26)}`)]).toEqual([true, false]);
    expect(opens(signed.replace(/expires=\d/, "expires=9"))).toBe(false);
    expect(opens(urlsOf(2).signed(url))).toBe(false);
    clock.now += 3_599_000;
    expect(opens(signed)).toBe(true);
    clock.now += 1_000;
    expect(opens(signed)).toBe(false);
  });
});

describe("an upload URL", () => {
  const order = { platformId: "plt_1", actor: "key_1", purpose: "selfie" } as const;
  const tokenIn = (url: string) => url.slice(`${base}/files/uploads/`.length);

  it("accepts uploads of its purpose for ten minutes", () => {
    const { url, expiresAt } = urls.uploadUrl(order);
    const token = tokenIn(url);
    expect(urls.readToken(token)).toEqual(order);
    expect(expiresAt.getTime()).toBe(clock.now + 600_000);
    const signature = new URL(urls.signed(urls.urlOf(id))).searchParams.get("signature") ?? "";
    const changed = Buffer.from(token, "base64url");
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    for (const wrong of [
      "",
      ".",
      `${token}x`,
      `x${token}`,
      `${token}=`,
      signature,
      changed.toString("base64url"),
    ])
      expect(urls.readToken(wrong)).toBeUndefined();
    expect(urlsOf(2).readToken(token)).toBeUndefined();
    clock.now += 600_000;
    expect(urls.readToken(token)).toBeUndefined();
  });

  it("shows neither the platform nor the key", () => {
    const [one, two] = [urls.uploadUrl(order).url, urls.uploadUrl(order).url];
    expect(one).not.toBe(two);
    for (const text of [one, Buffer.from(tokenIn(one), "base64url").toString("latin1")])
      for (const word of ["plt_1", "key_1", "selfie"]) expect(text).not.toContain(word);
  });
});
