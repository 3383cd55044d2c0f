import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { variables } from "../../../src/config/variables.ts";
import { imageUser } from "../../support/as-in-the-image.ts";
import { fakeApp } from "../../support/fakes.ts";
import { opsFile, opsProcesses } from "../../support/ops.ts";

const dockerfile = opsFile("image/Dockerfile");
const project = new URL("../../../../../", import.meta.url);
const packageJson = (folder: string) =>
  JSON.parse(readFileSync(new URL(`${folder}package.json`, project), "utf8"));

it("the image exposes the ports that the programs listen on", () => {
  const ports = [variables.shape.PORT, variables.shape.METRICS_PORT].map((port) => port.parse(undefined));
  expect(dockerfile).toContain(`\nEXPOSE ${ports.join(" ")}\n`);
});

it("its health check asks for a path that exists, on the port of the environment", async () => {
  const [, port, path = ""] =
    /127\.0\.0\.1:\$\{process\.env\.PORT \|\| (\d+)\}([^`]+)`/.exec(dockerfile) ?? [];
  expect(port).toBe(String(variables.shape.PORT.parse(undefined)));
  expect((await fakeApp().app.request(path)).status).toBe(200);
});

it("it runs as the user that the copy of the build is tested with, and that Kubernetes names", () => {
  expect(dockerfile).toContain(`\nUSER ${imageUser}:${imageUser}\n`);
  expect(opsFile("kubernetes/base/api.yaml")).toContain(`runAsUser: ${imageUser}`);
});

it("it is built with the project's pnpm", () => {
  const { packageManager } = packageJson("");
  expect(new Set(dockerfile.match(/pnpm@[\d.]+/g))).toEqual(new Set([packageManager]));
});

it("every program that ops starts is one that the build makes", () => {
  const build = readFileSync(new URL("apps/api/build.mjs", project), "utf8");
  for (const { program } of opsProcesses()) expect(build).toContain(`src/${program.replace(".js", ".ts")}`);
});
