import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEnv } from "../src/server/config/env.ts";
import { secretVariables, variables } from "../src/server/config/variables.ts";
import { createDevelopmentIssuer } from "../src/server/development-issuer/issuer.ts";
import { runConsole } from "../src/server/run.ts";
import { testKey } from "./support/console.ts";
import { startFakeService } from "./support/fake-service.ts";

const local = { CARDBRIDGE_URL: "http://127.0.0.1:3000", CARDBRIDGE_KEY: testKey };
const deployed = {
  NODE_ENV: "production",
  CONSOLE_HOST: "0.0.0.0",
  CONSOLE_PUBLIC_URL: "https://console.example.com/",
  CARDBRIDGE_URL: "http://cardbridge:3000/",
  CARDBRIDGE_KEY: testKey.replace("test", "live"),
  OIDC_ISSUER: "https://id.example.com/realms/staff",
  OIDC_CLIENT_ID: "console",
  OIDC_CLIENT_SECRET: "secret-of-the-console",
  OIDC_AUDIENCE: "https://cards.example.com",
};
const reasonsOf = (source: NodeJS.ProcessEnv): string => {
  try {
    readEnv(source);
    return "";
  } catch (error) {
    return String(error);
  }
};

describe("the environment", () => {
  it("needs only the service and its key beside a service on this machine", () => {
    expect(readEnv(local)).toMatchObject({
      publicUrl: "http://127.0.0.1:3001",
      issuer: undefined,
      slaHours: 4,
    });
  });

  it("configures a deployed console", () => {
    expect(readEnv(deployed)).toMatchObject({
      publicUrl: "https://console.example.com",
      serviceUrl: "http://cardbridge:3000",
      issuer: { issuer: deployed.OIDC_ISSUER, clientId: "console", audienceParameter: "resource" },
    });
  });

  it("reads secrets from files", () => {
    const folder = mkdtempSync(join(tmpdir(), "cardbridge-console-"));
    const file = join(folder, "key");
    writeFileSync(file, `${testKey}\n`);
    const source = { ...local, CARDBRIDGE_KEY: "", CARDBRIDGE_KEY_FILE: file };
    expect(readEnv(source).serviceKey).toBe(testKey);
    expect(reasonsOf({ ...local, CARDBRIDGE_KEY_FILE: file })).toContain("are both set");
    rmSync(folder, { recursive: true });
    expect(reasonsOf(source)).toContain("CARDBRIDGE_KEY_FILE cannot be read (ENOENT).");
  });

  it.each([
    ["http off loopback", { CONSOLE_PUBLIC_URL: "http://console.example.com" }, "CONSOLE_PUBLIC_URL"],
    ["an issuer on http", { OIDC_ISSUER: "http://id.example.com" }, "OIDC_ISSUER"],
    ["a path", { CONSOLE_PUBLIC_URL: "https://example.com/console" }, "CONSOLE_PUBLIC_URL"],
    ["no resource", { OIDC_AUDIENCE: "cardbridge" }, "OIDC_AUDIENCE: Set an absolute URI"],
    ["a mistyped name", { OIDC_AUDIENCE_PARAMETR: "none" }, "set OIDC_AUDIENCE_PARAMETER, or remove it."],
    ["no audience", { OIDC_AUDIENCE: "" }, "OIDC_AUDIENCE is missing."],
    ["a platform's key", { CARDBRIDGE_KEY: "cb_live_secret" }, "CARDBRIDGE_KEY"],
    ["no service", { CARDBRIDGE_URL: undefined }, "CARDBRIDGE_URL is missing."],
  ])("refuses %s", (_name, source, reason) => {
    const reasons = reasonsOf({ ...deployed, ...source });
    expect(reasons).toContain(reason);
    expect(reasons).not.toMatch(/secret/);
  });
});

it("reports malformed, missing and unsafe variables at once", () => {
  const reasons = reasonsOf({
    ...deployed,
    CONSOLE_PUBLIC_URL: "http://console.example.com",
    CARDBRIDGE_URL: "cardbridge:3000",
    OIDC_CLIENT_ID: "",
    OIDC_AUDIENCE: "cardbridge",
  });
  for (const name of ["CONSOLE_PUBLIC_URL", "CARDBRIDGE_URL", "OIDC_CLIENT_ID", "OIDC_AUDIENCE"])
    expect(reasons).toContain(`- ${name}`);
});

it("keeps the slash at the end of an issuer, and lets other parameters name any audience", () => {
  const issuer = "https://id.example.com/application/o/cardbridge/";
  const other = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: "cardbridge", OIDC_AUDIENCE_PARAMETER: "none" };
  expect(readEnv({ ...deployed, ...other }).issuer).toMatchObject({ issuer, audience: "cardbridge" });
});

describe("the development issuer", () => {
  it.each([
    ["the address", { CONSOLE_HOST: "0.0.0.0" }],
    ["the public URL", { CONSOLE_PUBLIC_URL: "https://console.example.com" }],
    ["the service's address", { CARDBRIDGE_URL: "https://cards.example.com" }],
    ["the key", { CARDBRIDGE_KEY: testKey.replace("test", "live") }],
    ["production", { NODE_ENV: "production" }],
  ])("is refused because of %s", (_name, source) => {
    expect(reasonsOf({ ...local, ...source })).toContain(
      "OIDC_ISSUER is missing. The development issuer starts on loopback",
    );
  });

  it("does not start beside a service that says it is live, or does not answer", async () => {
    const service = await startFakeService();
    service.state.environment = "live";
    const env = readEnv({ ...local, CARDBRIDGE_URL: service.url });
    const options = { webFolder: "not-read", writeLog: () => {} };
    await expect(runConsole(env, options)).rejects.toThrow("never starts beside a live service");
    await service.close();
    await expect(runConsole(env, options)).rejects.toThrow("The service does not answer");
  });

  it("is not created for a public address", async () => {
    await expect(createDevelopmentIssuer("https://console.example.com")).rejects.toThrow("loopback only");
  });
});

it("is documented: each variable, its default, and which ones are secrets", () => {
  const page = readFileSync(new URL("../../../docs/operate/console.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)`( or `[A-Z_]+_FILE`)? \| (.*?) \|/gm)].map(
    ([, name, file, value]) => ({
      name,
      secret: file !== undefined,
      value: value?.startsWith("`") ? value.slice(1, -1) : undefined,
    }),
  );
  const declared = Object.entries(variables.shape).map(([name, schema]) => {
    const value = schema.safeParse(undefined).data;
    return {
      name,
      secret: secretVariables.includes(name),
      value: value === undefined ? undefined : String(value),
    };
  });
  expect(rows).toEqual(declared);
});
