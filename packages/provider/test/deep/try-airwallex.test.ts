import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { forkFake } from "@cardbridge/airwallex-fake";
import { expect, it, onTestFinished } from "vitest";
import { credentials } from "../support/airwallex.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../../../../scripts/try-airwallex.mjs", import.meta.url));

const env = (url: string, filesUrl: string) => ({
  ...process.env,
  PROVIDER_URL: url,
  PROVIDER_FILES_URL: filesUrl,
  PROVIDER_CLIENT_ID: credentials.clientId,
  PROVIDER_CLIENT_SECRET: credentials.apiKey,
});

it("try-airwallex.mjs passes against the fake, and reports differences", async () => {
  const fake = await forkFake();
  onTestFinished(fake.close);
  const options = { env: env(fake.url, fake.filesUrl) };
  const { stdout } = await run(process.execPath, [script], options);
  expect(stdout).toContain("Everything is as expected.");
  expect(stdout).not.toContain("DIFFERS");
  expect((await fake.effects()).cardholders).toHaveLength(1);

  await fake.fail({ kind: "merge", method: "POST", path: "/api/v1/authentication", fields: { token: 1 } });
  const differing = await run(process.execPath, [script], options).catch((error) => error);
  expect(differing).toMatchObject({ code: 1, stdout: expect.stringContaining("DIFFERS: a token") });
});

it("try-airwallex.mjs rejects hosts outside the demo environment", async () => {
  const options = { env: env("https://api.airwallex.com", "https://files.airwallex.com") };
  const refused = await run(process.execPath, [script], options).catch((error) => error);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("not the demo environment") });
});
