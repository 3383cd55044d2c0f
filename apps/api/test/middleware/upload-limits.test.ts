import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileUrls } from "../../src/rest/file-urls.ts";
import { type Served, serve } from "../../src/server/serve.ts";
import { fakeApp } from "../support/fakes.ts";
import { part, uploadForm, wholeForm } from "../support/upload-form.ts";

/** The limits of uploads, and the lifetime of file URLs. */
describe("an upload over a socket", () => {
  let server: Served;
  beforeAll(async () => {
    server = await serve(fakeApp().app.fetch, { host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.close(0));

  it.each([
    ["of a wrong length", `${part("purpose", "selfie")}--b--`, 400, "INVALID_INPUT"],
    ["whose file is text", `${part("purpose", "selfie")}${part("file", "x")}--b--\r\n`, 400, "INVALID_INPUT"],
    ["that is truncated", part("purpose", "selfie").slice(0, 30), 400, "MALFORMED_REQUEST"],
    ["with another boundary", "--c\r\n\r\n--c--\r\n", 400, "MALFORMED_REQUEST"],
    ["of fields in fields", part("purpose[x]", "selfie"), 400, "MALFORMED_REQUEST"],
  ])("%s is refused", async (_name, body, status, code) => {
    const answer = await uploadForm(server.url, body);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code]);
  });

  it("of all its parts is accepted", async () => {
    expect((await uploadForm(server.url, wholeForm)).status).toBe(201);
  });

  it("with many parts gets a response", async () => {
    const body = `${part("a", "b").repeat(1_500)}--b--\r\n`;
    expect((await uploadForm(server.url, body)).status).toBe(400);
  });
});

describe("file URLs", () => {
  const clock = { now: 1_000_000_000_000 };
  const urls = createFileUrls("https://cards.example.com/base/", Buffer.alloc(32, 1), () => clock.now);
  const fileId = `file_${"0".repeat(26)}`;
  const url = urls.urlOf(fileId);
  const opens = (text: string, id = fileId) => {
    const { searchParams } = new URL(text);
    return urls.opens(
      id,
      searchParams.get("expires") ?? undefined,
      searchParams.get("signature") ?? undefined,
    );
  };

  it("are parsed; other URLs of this service are invalid", () => {
    expect(url).toBe(`https://cards.example.com/base/files/${fileId}`);
    expect(urls.fileIdOf(url)).toBe(fileId);
    expect(urls.fileIdOf(url.replace("cards", "CARDS"))).toBe(fileId);
    for (const other of [
      `${url}?x`,
      `${url}#x`,
      `${url}/`,
      url.replace("/base", ""),
      url.replace("https", "http"),
    ]) {
      expect([other, urls.fileIdOf(other)]).toEqual([other, null]);
    }
    expect(urls.fileIdOf("https://cards.example.com.evil.test/base/files/x")).toBeUndefined();
    expect(urls.fileIdOf("https://files.example.com/front.jpg")).toBeUndefined();
  });

  it("are signed for one file and one hour", () => {
    const signed = urls.signed(url);
    expect([opens(signed), opens(signed, `file_${"1".repeat(26)}`)]).toEqual([true, false]);
    expect(opens(signed.replace(/expires=\d/, "expires=9"))).toBe(false);
    clock.now += 1_000;
    expect(urls.signed(url)).not.toBe(signed);
    clock.now += 3_598_000;
    expect(opens(signed)).toBe(true);
    clock.now += 1_000;
    expect(opens(signed)).toBe(false);
    expect(urls.signed("https://files.example.com/front.jpg?x=1")).toBe(
      "https://files.example.com/front.jpg?x=1",
    );
    const others = createFileUrls("https://cards.example.com/base", Buffer.alloc(32, 2), () => clock.now);
    expect(opens(others.signed(url))).toBe(false);
  });

  it("accept uploads of their purpose for ten minutes", () => {
    const order = { platformId: "plt_1", actor: "key_1", purpose: "selfie" } as const;
    const { url, expiresAt } = urls.uploadUrl(order);
    const token = url.slice("https://cards.example.com/base/files/uploads/".length);
    expect(urls.readToken(token)).toEqual(order);
    expect(expiresAt.getTime()).toBe(clock.now + 600_000);
    const signature = new URL(urls.signed(urls.urlOf(fileId))).searchParams.get("signature") ?? "";
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
    ]) {
      expect(urls.readToken(wrong)).toBeUndefined();
    }
    const others = createFileUrls("https://cards.example.com/base", Buffer.alloc(32, 2), () => clock.now);
    expect(others.readToken(token)).toBeUndefined();
    clock.now += 600_000;
    expect(urls.readToken(token)).toBeUndefined();
  });

  it("of uploads show neither the platform nor the key", () => {
    const order = { platformId: "plt_1", actor: "key_1", purpose: "selfie" } as const;
    const [one, two] = [urls.uploadUrl(order).url, urls.uploadUrl(order).url];
    expect(one).not.toBe(two);
    const token = one.slice(one.lastIndexOf("/") + 1);
    for (const text of [one, Buffer.from(token, "base64url").toString("latin1")])
      for (const word of ["plt_1", "key_1", "selfie"]) expect(text).not.toContain(word);
  });
});
