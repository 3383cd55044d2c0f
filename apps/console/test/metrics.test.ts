import { readFileSync } from "node:fs";
import { version } from "@cardbridge/node";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startConsole, type TestConsole } from "./support/console.ts";

let console_: TestConsole;
beforeEach(async () => {
  console_ = await startConsole();
  onTestFinished(() => console_.close());
});

/** The value of a series of the console, such as `sign_ins_total{outcome="done"}`. */
async function seriesValue(series: string): Promise<number | undefined> {
  const line = (await console_.metrics())
    .split("\n")
    .find((each) => each.startsWith(`cardbridge_console_${series} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

const search = "/api/trpc/records.search?input=%7B%7D";

describe("the metrics of the console", () => {
  it("count requests by the pattern of their route", async () => {
    const browser = console_.browser();
    await browser.signIn("sam");
    await browser.api("/api/trpc/records.get?input=%7B%22kycRecordId%22%3A%22kyc_canary%22%7D");
    await browser.go("/records/kyc_canary");
    await browser.api("/api/nothing/kyc_canary");
    await browser.go("/auth/kyc-canary");
    await console_.browser().api("/api/session");
    expect(await seriesValue('http_requests_total{route="/api/trpc/:names",status="200"}')).toBe(1);
    expect(await seriesValue('http_requests_total{route="page",status="200"}')).toBe(1);
    expect(await seriesValue('http_requests_total{route="unknown",status="404"}')).toBe(2);
    expect(await seriesValue('http_requests_total{route="/api/session",status="401"}')).toBe(1);
    expect(await seriesValue('http_request_duration_seconds_count{route="/api/trpc/:names"}')).toBe(1);
    expect(await console_.metrics()).toContain(`cardbridge_console_build_info{version="${version}"`);
  });

  it("count sign-ins and sessions", async () => {
    const browser = console_.browser();
    await browser.go("/auth/callback?code=none");
    const callback = await browser.choose("sam");
    await browser.go(callback.replace(/state=[^&]+/, "state=wrong"));
    await browser.signIn("sam");
    for (const outcome of ["expired", "refused", "done"])
      expect([outcome, await seriesValue(`sign_ins_total{outcome="${outcome}"}`)]).toEqual([outcome, 1]);
    expect(await seriesValue("sessions")).toBe(1);
    await browser.api("/auth/sign-out", { method: "POST" });
    expect(await seriesValue("sessions")).toBe(0);
  });

  it("count what became of the calls of the service", async () => {
    const browser = console_.browser();
    await browser.signIn("sam");
    await browser.api(search);
    for (const status of [403, 503]) {
      console_.service.state.answer = (_request, response) => {
        response.writeHead(status, { "content-type": "application/json" }).end("{}");
        return true;
      };
      await browser.api(search);
    }
    await console_.service.close();
    await browser.api(search);
    expect(await seriesValue('service_calls_total{outcome="answered"}')).toBe(1);
    expect(await seriesValue('service_calls_total{outcome="refused"}')).toBe(1);
    expect(await seriesValue('service_calls_total{outcome="unavailable"}')).toBe(2);
  });

  it("do not blame the service for a browser that does not wait", async () => {
    const browser = console_.browser();
    await browser.signIn("sam");
    await browser.api(search);
    const asked = new Promise<void>((resolve) => {
      console_.service.state.answer = () => {
        resolve();
        return true;
      };
    });
    const left = new AbortController();
    const call = browser.api(search, { signal: left.signal });
    await asked;
    left.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => seriesValue('service_calls_total{outcome="cancelled"}')).toBe(1);
    expect(await seriesValue('service_calls_total{outcome="unavailable"}')).toBe(0);
    expect(console_.log()).not.toContain("service_unavailable");
  });

  it("have no value of a person, of a record or of a query", async () => {
    const browser = console_.browser();
    await browser.signIn("sam");
    const body = JSON.stringify({ search: "canary@example.com" });
    await browser.api("/api/trpc/users.find", { method: "POST", body });
    await browser.api("/api/trpc/canary@example.com", { method: "POST", body });
    await browser.go("/users/canary@example.com?q=canary@example.com");
    await browser.go("/auth/canary@example.com", { method: "CANARY" }).catch(() => {});
    const text = await console_.metrics();
    for (const secret of ["canary", "CANARY", "sam", "Sam", browser.session ?? "?", console_.service.url])
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
  });
});

it("every metric is documented, and no other", async () => {
  const page = readFileSync(new URL("../../../docs/operate/console.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/`(cardbridge_console_\w+)`/g)].map(([, name]) => name);
  const own = [...(await console_.metrics()).matchAll(/^# TYPE (cardbridge_console_\w+)/gm)];
  expect(documented.toSorted()).toEqual(own.map(([, name]) => name).toSorted());
});

it("every metric of the console in an alarm or on the dashboard exists", async () => {
  const ops = ["prometheus/alerts.yml", "prometheus/alerts.test.yml", "grafana/dashboard.json"].map((path) =>
    readFileSync(new URL(`../../../ops/${path}`, import.meta.url), "utf8"),
  );
  const named = ops.flatMap(
    (text) => text.match(/cardbridge_console_[a-z_]+(?:\{outcome=\\?"[a-z-]+)?/g) ?? [],
  );
  const text = await console_.metrics();
  expect(named.length).toBeGreaterThan(5);
  const unknown = named
    .map((name) => name.replace("\\", "").replace("_bucket", ""))
    .filter((name) => !text.includes(name));
  expect(unknown).toEqual([]);
});
