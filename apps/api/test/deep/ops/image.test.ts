import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { variables } from "../../../src/config/variables.ts";
import { imageUser } from "../../support/as-in-the-image.ts";
import { fakeApp } from "../../support/fakes.ts";
import { imageStage, opsFile, opsProcesses } from "../../support/ops.ts";

const dockerfile = opsFile("image/Dockerfile");
const service = imageStage("cardbridge");
const project = new URL("../../../../../", import.meta.url);
const packageJson = (folder: string) =>
  JSON.parse(readFileSync(new URL(`${folder}package.json`, project), "utf8"));

it("the image exposes the ports that the programs listen on", () => {
  const ports = [variables.shape.PORT, variables.shape.METRICS_PORT].map((port) => port.parse(undefined));
  expect(service).toContain(`\nEXPOSE ${ports.join(" ")}\n`);
});

it("the image's health check requests an existing path on the port of the environment", async () => {
  const [, port, path = ""] = /127\.0\.0\.1:\$\{process\.env\.PORT \|\| (\d+)\}([^`]+)`/.exec(service) ?? [];
  expect(port).toBe(String(variables.shape.PORT.parse(undefined)));
  expect((await fakeApp().app.request(path)).status).toBe(200);
});

it("a build without a target makes the image of the service", () => {
  expect(dockerfile.split(/^(?=FROM )/m).at(-1)).toBe(service);
});

it("the image runs as the user of the copied build's test and of Kubernetes", () => {
  expect(dockerfile).toContain(`\nUSER ${imageUser}:${imageUser}\n`);
  expect(opsFile("kubernetes/base/api.yaml")).toContain(`runAsUser: ${imageUser}`);
});

it("the image is built with the project's pnpm", () => {
  const { packageManager } = packageJson("");
  expect(new Set(dockerfile.match(/pnpm@[\d.]+/g))).toEqual(new Set([packageManager]));
});

it("the build creates every program that ops starts", () => {
  const build = readFileSync(new URL("apps/api/build.mjs", project), "utf8");
  for (const { program } of opsProcesses()) expect(build).toContain(`src/${program.replace(".js", ".ts")}`);
});
