import { readdirSync, readFileSync } from "node:fs";
import { parse, parseAllDocuments } from "yaml";

const root = new URL("../../../../../ops/", import.meta.url);

/** The programs of which `ops` has processes, by the names of their settings in Kubernetes. */
type App = "cardbridge" | "cardbridge-console";

/** A process as a file of `ops` starts it. */
export interface OpsProcess {
  name: string;
  /** The program, relative to a release. */
  program: string;
  /** The whole environment, with the image's. */
  environment: Record<string, string>;
  /** How long it may run after SIGTERM, in milliseconds. */
  graceMs: number;
  /** How much memory it may use, in MiB; NaN without a limit. */
  memoryMiB: number;
}

export const opsPath = (path: string): string => new URL(path, root).pathname;
export const opsFile = (path: string): string => readFileSync(opsPath(path), "utf8");

/** `NAME=value` pairs as an environment. */
export function pairs(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(list.map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]));
}

/** The variables that the image sets. */
export const imageEnvironment: Record<string, string> = pairs(
  /^ENV (.+)$/m.exec(opsFile("image/Dockerfile"))?.[1]?.split(" ") ?? [],
);

export interface ComposeService {
  image: string;
  command?: string[];
  entrypoint?: string[];
  user?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  stop_grace_period?: string;
  read_only?: boolean;
  profiles?: string[];
  ports?: string[];
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  healthcheck?: { test?: string[]; disable?: boolean };
}

/** The settings that the operator adds to `compose.yaml`. */
const composeSettings: Record<string, string> = {
  SITE: "cards.example.com",
  ENVIRONMENT: "live",
  PROVIDER_URL: "https://provider.example.com",
  PROVIDER_CLIENT_ID: "cardbridge",
  CONSOLE_SITE: "console.example.com",
  OIDC_ISSUER: "https://id.example.com/realms/staff",
  OIDC_CLIENT_ID: "cardbridge-console",
  OIDC_AUDIENCE: "urn:example:cardbridge",
  PERSONS_ROLES: "roles",
};

/** `compose.yaml` with its merges and variables resolved. */
export function composeFile(): {
  name: string;
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
} {
  const text = opsFile("compose/compose.yaml").replace(
    /\$\{(\w+):[?-]([^}]*)\}/g,
    (_, name: string, otherwise: string) => composeSettings[name] ?? otherwise,
  );
  return parse(text, { merge: true });
}

export interface KubernetesContainer {
  image: string;
  args: string[];
  env: { name: string; value?: string }[];
  envFrom?: object[];
  ports?: { name: string; containerPort: number }[];
  resources: { limits: { memory: string } };
  securityContext: object;
}

interface NetworkRule {
  to?: object[];
  ports: { protocol: string; port: number }[];
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    /** Of a network policy. */
    egress?: NetworkRule[];
    activeDeadlineSeconds?: number;
    template?: PodTemplate;
    /** Of a job that is started by time. */
    jobTemplate?: { spec: { template: PodTemplate } };
    schedule?: string;
  };
}

interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: [KubernetesContainer];
    terminationGracePeriodSeconds?: number;
    securityContext: object;
  };
}

interface Kustomization {
  resources: string[];
  configMapGenerator?: { name: string; literals: string[] }[];
  secretGenerator: { name: string; files: string[] }[];
}

export const kustomization = (folder: string): Kustomization =>
  parse(opsFile(`kubernetes/${folder}/kustomization.yaml`));

/** The objects of a folder of Kubernetes files. Kubernetes reads YAML 1.1, where 0440 is octal. */
export function kubernetesObjects(folder: string): KubernetesObject[] {
  return kustomization(folder)
    .resources.filter((name) => name.endsWith(".yaml"))
    .flatMap((name) => parseAllDocuments(opsFile(`kubernetes/${folder}/${name}`), { version: "1.1" }))
    .map((document) => document.toJS());
}

/** The values of a key of a systemd unit. */
export function unitValues(unit: string, key: string): string[] {
  return [...opsFile(`systemd/${unit}`).matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(
    ([, value = ""]) => value,
  );
}

export const units: string[] = readdirSync(opsPath("systemd")).filter((name) => name.endsWith(".service"));

/** The literals of an app's settings in a folder of Kubernetes files. */
export const settingsIn = (folder: string, app: App): string[] =>
  kustomization(folder).configMapGenerator?.find(({ name }) => name === app)?.literals ?? [];

/** The instances of a template unit that the pages start; an empty name for any other unit. */
function instancesOf(unit: string): string[] {
  const [name = "", rest] = unit.split("@");
  if (rest === undefined) return [""];
  const pages = ["install", "console"].map((page) =>
    readFileSync(new URL(`../docs/operate/${page}.md`, root), "utf8"),
  );
  return pages
    .flatMap((page) => [...page.matchAll(/^ *systemctl enable --now (.*)$/gm)])
    .flatMap(([, started = ""]) => started.split(" "))
    .flatMap((each) => (each.startsWith(`${name}@`) ? each.slice(name.length + 1) : []));
}

/** A size such as `512m`, `2G` or `1Gi` in MiB. All three ways to write it mean powers of 1024 here. */
function mebibytes(size = ""): number {
  const [, number, unit = ""] = /^(\d+)([mg])i?$/i.exec(size) ?? [];
  return Number(number) * (unit.toLowerCase() === "g" ? 1024 : 1);
}

/** The program that a service of Compose runs: what the image runs without a command. */
const programOf = ({ command: [program] = [] }: ComposeService): string =>
  program ?? /^CMD \["([^"]+)"\]$/m.exec(opsFile("image/Dockerfile"))?.[1] ?? "";

/** The program of which a file is. */
const appOf = (program: string): App =>
  program.startsWith("console/") ? "cardbridge-console" : "cardbridge";

/** Every process of the service, or of the console, that the files of `ops` start. */
export function opsProcesses(app: App = "cardbridge"): OpsProcess[] {
  const folder = app === "cardbridge" ? "base" : "console";
  const compose = Object.entries(composeFile().services)
    .filter(([, service]) => service.image === "cardbridge" && appOf(programOf(service)) === app)
    .map(([name, service]) => ({
      name: `compose ${name}`,
      program: programOf(service),
      environment: { ...imageEnvironment, ...service.environment },
      graceMs: Number.parseInt(service.stop_grace_period ?? "10s", 10) * 1000,
      memoryMiB: mebibytes(service.mem_limit),
    }));
  const settings = pairs([folder, "overlays/example"].flatMap((each) => settingsIn(each, app)));
  const kubernetes = kubernetesObjects(folder).flatMap(({ metadata, spec }) => {
    const pod = spec.template?.spec;
    if (!pod) return [];
    const [{ args, env, envFrom, resources }] = pod.containers;
    // A value from the configuration is in `settings`.
    const own = Object.fromEntries(
      env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    );
    return {
      name: `Kubernetes ${metadata.name}`,
      program: args[0] ?? "",
      environment: { ...imageEnvironment, ...(envFrom ? settings : {}), ...own },
      graceMs: (pod.terminationGracePeriodSeconds ?? 30) * 1000,
      memoryMiB: mebibytes(resources.limits.memory),
    };
  });
  const startedBy = (unit: string) => unitValues(unit, "ExecStart")[0]?.split("/opt/cardbridge/")[1] ?? "";
  const ofApp = units.filter((unit) => startedBy(unit) !== "" && appOf(startedBy(unit)) === app);
  const systemd = ofApp.flatMap((unit) =>
    instancesOf(unit).map((instance) => ({
      name: `systemd ${unit.replace("@", `@${instance}`)}`,
      program: startedBy(unit),
      environment: {
        ...pairs(
          unitValues(unit, "Environment").flatMap((line) => line.replaceAll("%i", instance).split(" ")),
        ),
        ...pairs(
          unitValues(unit, "EnvironmentFile").flatMap(
            (path) => opsFile(path.replace("/etc/cardbridge/", "systemd/")).match(/^[A-Z].*$/gm) ?? [],
          ),
        ),
      },
      graceMs: Number(unitValues(unit, "TimeoutStopSec")[0] ?? 90) * 1000,
      memoryMiB: mebibytes(unitValues(unit, "MemoryMax")[0]),
    })),
  );
  return [...compose, ...kubernetes, ...systemd];
}
