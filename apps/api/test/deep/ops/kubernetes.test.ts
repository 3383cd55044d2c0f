import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { specialNetworks, unicastNetworks } from "../../../../../packages/egress/src/addresses/networks.ts";
import { variables as consoleVariables } from "../../../../console/src/server/config/variables.ts";
import { variables } from "../../../src/config/variables.ts";
import { fakeApp } from "../../support/fakes.ts";
import { type KubernetesObject, kubernetesObjects, kustomization, opsPath, settingsIn } from "./ops-files.ts";

const api = fileURLToPath(new URL("../../../", import.meta.url));
const base = kubernetesObjects("base");
const console_ = kubernetesObjects("console");
const backup = kubernetesObjects("backup");
const objects = [...base, ...console_, ...backup, ...kubernetesObjects("overlays/example")];
const pods = [...base, ...console_, ...backup].flatMap(({ metadata, spec }) => {
  const pod = (spec.template ?? spec.jobTemplate?.spec.template)?.spec;
  return pod ? [{ name: metadata.name, pod, container: pod.containers[0] }] : [];
});

const temporary = mkdtempSync(join(tmpdir(), "cardbridge-kubernetes-"));
afterAll(() => rmSync(temporary, { recursive: true }));

type Kinds = Record<string, new (data: object) => { validate(): void }>;

async function validate(object: KubernetesObject): Promise<void> {
  const kinds: Kinds = await import(/* @vite-ignore */ `kubernetes-models/${object.apiVersion}`);
  const Kind = kinds[object.kind];
  expect(Kind, object.kind).toBeDefined();
  if (Kind) new Kind(object).validate();
}

it.each(objects)("$kind $metadata.name matches Kubernetes' schema", validate);

it("no object has an unknown field", () => {
  // The schemas accept unknown fields; the types that are generated from the same source do not.
  const file = join(api, ".reports", "kubernetes-objects.ts");
  mkdirSync(join(api, ".reports"), { recursive: true });
  const typed = objects.map((object) => {
    const type = `import("kubernetes-models/${object.apiVersion}").I${object.kind}`;
    return `export const _: ${type} = ${JSON.stringify(object)};`;
  });
  writeFileSync(file, typed.map((line, index) => line.replace("_", `object${index}`)).join("\n"));
  try {
    const options = ["--noEmit", "--skipLibCheck", "--strict", "--module", "nodenext", "--ignoreConfig"];
    const { stdout, status } = spawnSync(join(api, "node_modules/.bin/tsc"), [...options, file], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, ""]);
  } finally {
    rmSync(file);
  }
});

it.each(["base", "console", "backup"])("%s has every file of its folder", (folder) => {
  const files = readdirSync(opsPath(`kubernetes/${folder}`)).filter(
    (name) => name.endsWith(".yaml") && name !== "kustomization.yaml",
  );
  expect(kustomization(folder).resources.toSorted()).toEqual(files.toSorted());
});

it("every secret of the settings is in the example's secrets", () => {
  const files = settingsIn("base", "cardbridge").map(
    (literal) => literal.split("=/run/secrets/cardbridge/")[1] ?? literal,
  );
  const [service, migration, ofBackup, ofConsole] = kustomization("overlays/example").secretGenerator;
  expect(service?.files.map((file) => basename(file))).toEqual(files);
  expect(migration?.files.map((file) => basename(file))).toEqual(["database-url", "migration-database-url"]);
  const urls = backup.flatMap(
    ({ spec }) => spec.jobTemplate?.spec.template.spec.containers[0].env.at(-1)?.value ?? [],
  );
  expect(urls.map((url) => basename(url))).toEqual(Array(2).fill(basename(ofBackup?.files[0] ?? "")));
  const ofConsoleFiles = settingsIn("console", "cardbridge-console").flatMap(
    (literal) => literal.split("=/run/secrets/cardbridge-console/")[1] ?? [],
  );
  expect(ofConsole?.files.map((file) => basename(file))).toEqual(ofConsoleFiles);
  expect(ofConsoleFiles).toHaveLength(3);
});

it("port 443 is open to public addresses only, by the same list as the service's own check", () => {
  const family = (cidr: string) => cidr.includes(":");
  const peers = unicastNetworks.map((cidr) => ({
    ipBlock: { cidr, except: specialNetworks.filter((each) => family(each) === family(cidr)) },
  }));
  const rules = base.flatMap(({ spec }) => spec.egress ?? []);
  expect(rules.filter(({ ports }) => ports.some(({ port }) => port === 443))).toEqual([
    { to: peers, ports: [{ protocol: "TCP", port: 443 }] },
  ]);
});

it.each(pods)(
  "$name runs as a user without capabilities, on a read-only root file system",
  ({ pod, container }) => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  },
);

it("a backup is made each day and proved each week, under the network policies of the base", () => {
  const jobs = backup.flatMap(({ spec: { schedule, jobTemplate } }) =>
    jobTemplate ? [{ schedule, ...jobTemplate.spec.template }] : [],
  );
  expect(jobs.map(({ schedule, spec }) => [schedule, spec.containers[0].args])).toEqual([
    ["0 3 * * *", ["make"]],
    ["0 5 * * 0", ["verify"]],
  ]);
  const policy = base.find(({ metadata }) => metadata.name === "cardbridge-database");
  for (const { metadata } of jobs)
    expect(metadata.labels).toMatchObject(Object(policy?.spec).podSelector.matchLabels);
});

it.each(pods.filter(({ container }) => container.args[0]?.endsWith("main.js")))(
  "$name has the ports of the program, and probes that return 200",
  async ({ container }) => {
    const ports =
      container.args[0] === "main.js"
        ? [variables.shape.PORT, variables.shape.METRICS_PORT]
        : [consoleVariables.shape.CONSOLE_PORT, consoleVariables.shape.CONSOLE_METRICS_PORT];
    expect(container.ports?.map(({ containerPort }) => containerPort)).toEqual(
      ports.map((port) => port.parse(undefined)),
    );
    const paths = JSON.stringify(container).match(/(?<="path":")[^"]+/g) ?? [];
    expect(paths).toHaveLength(3);
    // The console has the paths of the service.
    for (const path of paths) expect([path, (await fakeApp().app.request(path)).status]).toEqual([path, 200]);
  },
);

const kubectl = spawnSync("kubectl", ["version", "--client"], { encoding: "utf8" });
/** Debian 12's kubectl has a kustomize that reads the base only. */
const foldersAsResources = /Kustomize Version: v[4-9]/.test(kubectl.stdout ?? "");

function render(folder: string): KubernetesObject[] {
  const text = execFileSync("kubectl", ["kustomize", folder], { encoding: "utf8" });
  return parseAllDocuments(text).map((document) => document.toJS());
}

/** Renders the example after a change of its settings, with made-up secrets. */
function renderExample(change: (settings: string) => string = (settings) => settings): KubernetesObject[] {
  const folder = mkdtempSync(join(temporary, "example-"));
  cpSync(opsPath("kubernetes"), folder, { recursive: true });
  cpSync(opsPath("backup"), join(folder, "backup"), { recursive: true });
  const example = join(folder, "overlays", "example");
  mkdirSync(join(example, "secrets"), { recursive: true });
  for (const { files } of kustomization("overlays/example").secretGenerator) {
    for (const file of files) writeFileSync(join(example, file), "secret");
  }
  const settings = join(example, "kustomization.yaml");
  writeFileSync(settings, change(readFileSync(settings, "utf8")));
  return render(example);
}

const imagesOf = (rendered: KubernetesObject[]) =>
  rendered.flatMap(({ spec }) => spec?.template?.spec.containers ?? []).map(({ image }) => image);

describe.skipIf(!foldersAsResources)("the example, rendered by kubectl with kustomize 4 or newer", () => {
  it("has the image and the addresses of its settings", async () => {
    const rendered = renderExample();
    expect(imagesOf(rendered).toSorted()).toEqual([
      ...Array(4).fill("registry.example.com/cardbridge:0.3.1"),
    ]);
    for (const object of rendered) await validate(object);
  });

  it("takes an image by digest", () => {
    const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
    const rendered = renderExample((settings) => settings.replace(/newTag: .*/, `digest: ${digest}`));
    expect(imagesOf(rendered)).toEqual(Array(4).fill(`registry.example.com/cardbridge@${digest}`));
  });
});
