import { describe, expect, it } from "vitest";
import { createFileUrls } from "../../src/rest/file-urls.ts";

const key = Buffer.alloc(32, 1);
const id = `file_${"0".repeat(26)}`;

describe("an uploaded file's URL", () => {
  const urls = createFileUrls("https://cards.example.com/gateway", key);

  it.each([
    `https://cards.example.com/gateway/files/${id}`,
    `HTTPS://Cards.EXAMPLE.com:443/gateway/files/${id}`,
    `https://cards.example.com./gateway/files/${id}`,
    `https://cards.example.com/x/../gateway/./files/${id}`,
    `https://cards.example.com/%2e%2E/gateway/files/${id}`,
    `https://cards.example.com/g%61teway/%66iles/file%5f${"%30".repeat(26)}`,
    `https://cards.example.com\\gateway\\files\\${id}`,
  ])("is recognized in every spelling: %s", (url) => {
    expect(urls.fileIdOf(url)).toBe(id);
    expect(urls.signed(url)).toMatch(
      new RegExp(`^https://cards\\.example\\.com/gateway/files/${id}\\?expires=`),
    );
  });

  it.each([
    `https://cards.example.com/files/${id}`,
    `https://cards.example.com/gateway/files/${id}?x=1`,
    `https://cards.example.com/gateway/files/${id}#x`,
    `https://cards.example.com/gateway/files%2f${id}`,
    `https://cards.example.com/gateway/files/${id}/`,
    `https://cards.example.com/gateway//files/${id}`,
    `https://cards.example.com/gateway/%2566iles/${id}`,
    `https://cards.example.com/gateway/files/${id.toUpperCase()}`,
    `http://cards.example.com/gateway/files/${id}`,
    "https://cards.example.com/docs",
  ])("is not another URL of this service: %s", (url) => {
    expect(urls.fileIdOf(url)).toBeNull();
    expect(urls.signed(url)).toBe(url);
  });

  it.each([
    `https://cards.example.com:8443/gateway/files/${id}`,
    `https://cards.example.com.evil.io/gateway/files/${id}`,
  ])("is not a URL of another service: %s", (url) => {
    expect(urls.fileIdOf(url)).toBeUndefined();
  });
});

it("may have an IPv6 address", () => {
  const urls = createFileUrls("http://[::1]:3000", key);
  expect(urls.fileIdOf(`http://[0:0::1]:3000/files/${id}`)).toBe(id);
});
