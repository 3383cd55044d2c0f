import { role } from "@cardbridge/domain";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, it } from "vitest";
import { securityHeaders } from "../src/server/http/security-headers.ts";
import { createCookies } from "../src/server/sessions/cookies.ts";
import { startConsole, type TestConsole } from "./support/console.ts";

let console_: TestConsole;
beforeAll(async () => {
  console_ = await startConsole();
});
afterAll(() => console_.close());

it("serves every view as the same page, with a strict policy", async () => {
  const browser = console_.browser();
  for (const path of ["/", "/queue?status=open", "/records/kyc_1"]) {
    const page = await browser.go(path);
    expect([page.status, await page.text()]).toEqual([200, "<!doctype html><title>console</title>"]);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self' ${console_.publicUrl}; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
      "cache-control": "no-cache",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(page.headers.get("strict-transport-security")).toBeNull();
  }
});

it("caches hashed files for ever, and finds no others", async () => {
  const browser = console_.browser();
  const script = await browser.go("/assets/index-abc123.js");
  expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(await script.text()).toBe("export {};\n");
  for (const path of ["/assets/other.js", "/favicon.ico", "/assets/..%2f..%2fpackage.json"]) {
    expect((await browser.go(path)).status).toBe(404);
  }
});

it("uses __Host- cookies and HSTS with https", async () => {
  const app = new Hono();
  app.use(securityHeaders("https://console.example.com", "https://id.example.com"));
  app.get("/", (c) => {
    createCookies("https://console.example.com").session.write(c, "id");
    return c.text("");
  });
  const { headers } = await app.request("/");
  expect(headers.get("set-cookie")).toBe(
    "__Host-cardbridge-console=id; Path=/; HttpOnly; Secure; SameSite=Strict",
  );
  expect(headers.get("strict-transport-security")).toContain("max-age=31536000");
  expect(headers.get("content-security-policy")).toContain("form-action 'self' https://id.example.com;");
});

it("lists one person for each role, on a page without scripts that other sites cannot frame", async () => {
  const browser = console_.browser();
  const begun = await browser.go("/auth/sign-in");
  const asked = await browser.go(begun.headers.get("location") ?? "");
  const page = await browser.go(asked.headers.get("location") ?? "");
  const roles = [...(await page.text()).matchAll(/class="role">([a-z]+)</g)].map(([, role]) => role);
  expect([...new Set(roles)]).toEqual(role.options);
  expect(page.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  const other = await fetch(`${console_.publicUrl}/development-issuer/interaction/unknown`);
  expect([other.status, other.headers.get("cache-control")]).toEqual([400, "no-store"]);
});
