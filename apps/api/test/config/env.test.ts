import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError, readVariables } from "@cardbridge/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxEventsSecret } from "../../src/config/development-secrets.ts";
import { readEnv, readMigrationEnv } from "../../src/config/env.ts";
import { removedVariables, secretVariables, variables } from "../../src/config/variables.ts";
import { openTracing } from "../../src/telemetry/tracing.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-env-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

function reasonsOf(source: Record<string, string>): readonly string[] {
  try {
    readEnv(source);
    return [];
  } catch (error) {
    return error instanceof ConfigurationError ? error.reasons : [String(error)];
  }
}

describe("a secret in a file", () => {
  it("is read without its trailing line break", async () => {
    const env = readEnv({ FINGERPRINT_KEY_FILE: await file("key", "0123456789abcdef0123456789abcdef\n") });
    expect(env.FINGERPRINT_KEY).toBe("0123456789abcdef0123456789abcdef");
  });

  it("can contain each secret of the schema, and no other variable", async () => {
    const secrets = Object.keys(variables.shape).filter((name) =>
      /SECRET|_KEY$|KEY_RING|_HEADERS$|DATABASE_URL|REDIS_URL/.test(name),
    );
    expect(secretVariables).toEqual(secrets);
    const path = await file("nowhere-near", "x");
    for (const name of secretVariables)
      expect(readVariables({ [`${name}_FILE`]: path }, variables).variables[name]).toBe("x");
  });
});

it.each(Object.entries(removedVariables))("the removed variable is rejected: %s", (name, advice) => {
  const reason = [`${name} is not used: ${advice}.`];
  expect(reasonsOf({ [name]: "1" })).toEqual(reason);
  expect(() => readMigrationEnv({ [name]: "1" })).toThrow(reason[0]);
  const known = Object.keys(variables.shape);
  expect((advice.match(/[A-Z][A-Z_]{2,}/g) ?? []).filter((each) => !known.includes(each))).toEqual(
    advice.includes("OTLP over HTTP in JSON") ? ["OTLP", "HTTP", "JSON"] : [],
  );
});

it("a mistyped name is rejected, without its value", () => {
  expect(reasonsOf({ RATE_LIMT_READS: "1/60" })).toEqual([
    "RATE_LIMT_READS is not known: set RATE_LIMIT_READS, or remove it.",
  ]);
  expect(reasonsOf({ FINGERPRINTKEY_FILE: "/run/secrets/key" })).toEqual([
    "FINGERPRINTKEY_FILE is not known: set FINGERPRINT_KEY_FILE, or remove it.",
  ]);
  expect(() => readMigrationEnv({ MIGRATON_DATABASE_URL: "postgres://owner:secret@db/a" })).toThrow(
    /^(?![\s\S]*secret)[\s\S]*MIGRATON_DATABASE_URL is not known: set MIGRATION_DATABASE_URL/,
  );
});

it.each([
  "HOSTNAME",
  "NODE_OPTIONS",
  "XDG_DATA_DIRS",
  "GIT_COMMIT",
  "PORTS",
  "OTEL_METRICS_EXPORTER",
  "OTEL_EXPORTER_OTLP_TIMEOUT",
  "OTEL_EXPORTER_OTLP_COMPRESSION",
  "CARDBRIDGE_URL",
  "REDIS_URL",
  "CONSOLE_METRICS_PORT",
  "CARDBRIDGE_SERVICE_PORT",
])("the variable of another program is not rejected: %s", (name) => {
  expect(reasonsOf({ [name]: "1" })).toEqual([]);
});

it.each(["DATABASE_URL", "MIGRATION_DATABASE_URL"])(
  "%s with several hosts says what to set instead",
  (name) => {
    const problem = `${name}: Set one host. For several servers, set the address of a proxy or a name that leads to the primary.`;
    expect(reasonsOf({ [name]: "postgres://app:correct-horse@a:5432,b:5432/cardbridge" })).toContain(problem);
  },
);

it("a public address is refused with the embedded database, whose demo keys are public", () => {
  expect(reasonsOf({ HOST: "0.0.0.0" })).toEqual([expect.stringMatching(/^HOST must be a loopback address/)]);
});

it("live is only for production", () => {
  expect(reasonsOf({ ENVIRONMENT: "live" })).toEqual(["ENVIRONMENT=live requires NODE_ENV=production."]);
});

describe("in production", () => {
  const good = {
    NODE_ENV: "production",
    ENVIRONMENT: "test",
    DATABASE_URL: "postgres://app:correct-horse@db/cardbridge?sslmode=verify-full",
    PROVIDER_URL: "https://provider.example.com",
    PUBLIC_URL: "https://cards.example.com",
    FILES_DIR: "/var/lib/cardbridge/files",
    PROVIDER_CLIENT_ID: "id",
    PROVIDER_CLIENT_SECRET: "a-secret-of-length",
    FINGERPRINT_KEY: randomBytes(32).toString("base64"),
    KEY_RING: `1:${randomBytes(32).toString("base64")}`,
  };

  it.each([
    [{ FILES_DIR: "" }, ["FILES_DIR or FILES_S3_ENDPOINT is missing."]],
    [{ PUBLIC_URL: "" }, ["PUBLIC_URL is missing."]],
    [{ ENVIRONMENT: "" }, ["ENVIRONMENT is missing."]],
    [
      { FILES_DIR: "", FILES_S3_ENDPOINT: "http://s3.example.com", FILES_S3_BUCKET: "b" },
      [
        "FILES_S3_ACCESS_KEY_ID is missing.",
        "FILES_S3_SECRET_ACCESS_KEY is missing.",
        "FILES_S3_ENDPOINT is unencrypted: use https.",
      ],
    ],
  ])("the file store and the public URL are required: %j", (changes, reasons) => {
    expect(reasonsOf({ ...good, ...changes })).toEqual(reasons);
  });

  it.each([
    ["live", "https://api.airwallex.com", []],
    ["test", "https://api-demo.airwallex.com", []],
    ["test", "https://api.airwallex.com", ["live", "test"]],
    ["live", "https://api-demo.airwallex.com", ["test", "live"]],
  ])("ENVIRONMENT=%s with %s", (environment, url, [actual, wanted] = []) => {
    const airwallex = {
      PROVIDER: "airwallex",
      PROVIDER_URL: url,
      PROVIDER_FILES_URL: url.replace("api", "files"),
      PROVIDER_CLIENT_ID: "id",
      PROVIDER_CLIENT_SECRET: "a-secret-of-length",
    };
    const names = actual === undefined ? [] : ["PROVIDER_URL", "PROVIDER_FILES_URL"];
    expect(reasonsOf({ ...good, ...airwallex, ENVIRONMENT: environment })).toEqual(
      names.map((name) => `${name} is of Airwallex's ${actual} environment, and ENVIRONMENT is ${wanted}.`),
    );
  });

  it("strong secrets are accepted", () => {
    expect(reasonsOf(good)).toEqual([]);
  });

  it.each([
    ["PROVIDER_CLIENT_SECRET", "fifteen-letters"],
    ["PROVIDER_CLIENT_SECRET", "aaaaaaaaaaaaaaaaaaaaaaaa"],
    ["PROVIDER_EVENTS_SECRETS", sandboxEventsSecret],
    ["KEY_RING", `1:${Buffer.alloc(32, 5).toString("base64")}`],
    ["FINGERPRINT_KEY", "abcabcabcabcabcabcabcabcabcabcabcabc"],
    ["FINGERPRINT_KEY", "0123456789abcdef0123456789abcdef"],
    ["PROVIDER_EVENTS_SECRETS", `whsec_${"a".repeat(32)}`],
    ["PROVIDER_EVENTS_SECRETS", `whsec_${randomBytes(24).toString("base64")},whsec_${"ab".repeat(12)}`],
    ["FILES_S3_SECRET_ACCESS_KEY", "xxxxxxxxxxxxxxxxxxxxxxxx"],
    ["DATABASE_URL", "postgres://app:aaaaaaaaaaaa@db/cardbridge?sslmode=verify-full"],
    ["MIGRATION_DATABASE_URL", "postgres://owner:postgres@db/cardbridge?sslmode=verify-full"],
    ["RATE_LIMIT_REDIS_URL", "rediss://:1111111111111111@redis:6379"],
  ])("a weak %s is refused, without its value", (name, value) => {
    const s3 = name.startsWith("FILES_S3_") ? s3Store : {};
    const [reason = "", ...more] = reasonsOf({ ...good, ...s3, [name]: value });
    expect(more).toEqual([]);
    expect(reason).toContain(name);
    expect(reason).not.toContain(value);
  });

  it("a weak password of a URL is named as one", () => {
    const DATABASE_URL = "postgres://app:short@db/cardbridge?sslmode=verify-full";
    expect(reasonsOf({ ...good, DATABASE_URL })).toEqual([
      "The password in DATABASE_URL has fewer than 8 characters, or too few different ones: use a random secret.",
    ]);
  });

  const s3Store = {
    FILES_S3_ENDPOINT: "https://s3.example.com",
    FILES_S3_BUCKET: "files",
    FILES_S3_ACCESS_KEY_ID: "id",
  };
  const databaseAt = (rest: string) => ({ DATABASE_URL: `postgres://app:correct-horse@${rest}` });
  const withoutTls =
    "DATABASE_URL is unencrypted: add ?sslmode=verify-full, or set INSECURE_CONNECTIONS=database if nobody else can read this network.";

  it.each([
    "db/cardbridge",
    "db/cardbridge?sslmode=disable",
    "db/cardbridge?sslmode=no-verify",
    "db/cardbridge?sslmode=prefer",
    "db/cardbridge?sslmode=verify-full&sslmode=disable",
    "db/cardbridge?sslmode=require&uselibpqcompat=true",
    "localhost/cardbridge?host=db",
    "10.0.0.7:5432/cardbridge",
  ])("a database on another machine without TLS is refused, unless it is said twice: %s", (rest) => {
    expect(reasonsOf({ ...good, ...databaseAt(rest) })).toEqual([withoutTls]);
    expect(reasonsOf({ ...good, ...databaseAt(rest), INSECURE_CONNECTIONS: "redis, database" })).toEqual([]);
    expect(reasonsOf({ ...good, ...databaseAt(rest), INSECURE_CONNECTIONS: "redis,clamd" })).toEqual([
      withoutTls,
    ]);
    expect(reasonsOf({ ...databaseAt(rest) })).toEqual([]);
  });

  it.each([
    "db/cardbridge?sslmode=verify-full",
    "db/cardbridge?sslmode=verify-ca&sslrootcert=/etc/ca.pem",
    "db/cardbridge?sslmode=require",
    "127.0.0.1:5432/cardbridge",
    "[::1]/cardbridge",
    "localhost/cardbridge",
    "%2Fvar%2Frun%2Fpostgresql/cardbridge",
  ])("a database with TLS or on this machine is accepted: %s", (rest) => {
    expect(reasonsOf({ ...good, ...databaseAt(rest) })).toEqual([]);
  });

  it("a database behind a unix socket is accepted", () => {
    const DATABASE_URL = "postgres:///cardbridge?host=/var/run/postgresql";
    expect(reasonsOf({ ...good, DATABASE_URL })).toEqual([]);
  });

  it("the owner's URL needs TLS too, also in the migration program", () => {
    const owner = { MIGRATION_DATABASE_URL: "postgres://owner:correct-horse@db/cardbridge" };
    expect(reasonsOf({ ...good, ...owner })).toEqual([
      expect.stringMatching(/^MIGRATION_DATABASE_URL is unenc/),
    ]);
    expect(() => readMigrationEnv({ ...good, ...owner })).toThrow("MIGRATION_DATABASE_URL is unencrypted");
    expect(
      readMigrationEnv({ ...good, ...owner, INSECURE_CONNECTIONS: "redis, database" }).ownerUrl,
    ).toBeDefined();
    expect(readMigrationEnv({ ...good, ...owner, NODE_ENV: "development" }).ownerUrl).toBeDefined();
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_EXPORTER_OTLP_HEADERS: "api-key=k" },
      "OTEL_EXPORTER_OTLP_ENDPOINT would send the headers of OTEL_EXPORTER_OTLP_HEADERS unencrypted",
    ],
    [{ RATE_LIMIT_REDIS_URL: "redis://:correct-horse@redis:6379" }, "set INSECURE_CONNECTIONS=redis"],
    [{ CLAMD_URL: "tcp://clamav:3310" }, "set INSECURE_CONNECTIONS=clamd"],
    [
      { WEBHOOKS_ALLOWED_NETWORKS: "0.0.0.0/0,127.0.0.0/8" },
      "WEBHOOKS_ALLOWED_NETWORKS contains addresses of this",
    ],
    [{ WEBHOOKS_ALLOWED_NETWORKS: "0.0.0.0/1" }, "WEBHOOKS_ALLOWED_NETWORKS contains"],
    [{ WEBHOOKS_ALLOWED_NETWORKS: "10.1.0.0/16,127.0.0.7/32" }, "WEBHOOKS_ALLOWED_NETWORKS contains"],
    [{ WEBHOOKS_ALLOWED_NETWORKS: "169.254.169.254/32" }, "WEBHOOKS_ALLOWED_NETWORKS contains"],
    [{ WEBHOOKS_ALLOWED_NETWORKS: "100.100.100.0/24" }, "WEBHOOKS_ALLOWED_NETWORKS contains"],
    [{ WEBHOOKS_ALLOWED_NETWORKS: "fd20:ce::/64" }, "WEBHOOKS_ALLOWED_NETWORKS contains"],
    [{ WEBHOOKS_ALLOWED_NETWORKS: "::/0" }, "WEBHOOKS_ALLOWED_NETWORKS contains"],
    [{ WEBHOOKS_ALLOWED_NETWORKS: "::1/128" }, "WEBHOOKS_ALLOWED_NETWORKS contains"],
    [{ WEBHOOKS_ALLOWED_NETWORKS: "::ffff:127.0.0.0/104" }, "WEBHOOKS_ALLOWED_NETWORKS contains"],
  ])("%j is refused with what to set", (changes, reason) => {
    expect(reasonsOf({ ...good, ...changes })).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector:4318", OTEL_EXPORTER_OTLP_HEADERS: "api-key=k" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_EXPORTER_OTLP_HEADERS: "api-key=k" },
    { RATE_LIMIT_REDIS_URL: "redis://:correct-horse@redis:6379", INSECURE_CONNECTIONS: "redis" },
    { RATE_LIMIT_REDIS_URL: "redis://redis:6379" },
    { CLAMD_URL: "tcp://clamav:3310", INSECURE_CONNECTIONS: "clamd" },
    { CLAMD_URL: "tcp://127.0.0.1:3310" },
    { CLAMD_URL: "unix:/run/clamd.sock" },
    { WEBHOOKS_ALLOWED_NETWORKS: "10.0.0.0/8,192.168.1.0/24,fd00:1::/64" },
  ])("%j is accepted", (changes) => {
    expect(reasonsOf({ ...good, ...changes })).toEqual([]);
  });

  it("a malformed network is reported once", () => {
    expect(reasonsOf({ ...good, WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/99" })).toHaveLength(1);
  });
});

it.each(["abc", "0123456", "e".repeat(40), "8E45E86"])(
  "COMMIT=%s is accepted if it is a commit's id",
  (commit) => {
    const isId = /^[0-9a-f]{7,}$/.test(commit);
    expect(reasonsOf({ COMMIT: commit })).toHaveLength(isId ? 0 : 1);
  },
);

describe("POLICY_FILE_ORIGINS", () => {
  it.each([
    ["", "public"],
    ["public", "public"],
    ["uploads", "uploads"],
    ["any", "any"],
    ["HTTPS://Files.Example.com:443, http://[::1]:9000/", ["https://files.example.com", "http://[::1]:9000"]],
  ])("%j means %j", (text, expected) => {
    expect(readEnv({ POLICY_FILE_ORIGINS: text }).POLICY_FILE_ORIGINS).toEqual(expected);
  });

  it.each(["none", "uploads,any", "https://files.example.com/path", ","])("refuses %j", (text) => {
    expect(reasonsOf({ POLICY_FILE_ORIGINS: text })).toEqual([
      "POLICY_FILE_ORIGINS: Set public, uploads, any, or origins such as https://files.example.com, without a path.",
    ]);
  });
});

describe("OpenTelemetry's variables", () => {
  const read = (source: Record<string, string>) => readEnv({ ...source });

  it("are read as OpenTelemetry specifies", () => {
    const env = read({
      OTEL_RESOURCE_ATTRIBUTES: "team=cards, region = eu%2C1",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    });
    expect(env.OTEL_RESOURCE_ATTRIBUTES).toEqual({ team: "cards", region: "eu,1" });
    expect(env.OTEL_TRACES_SAMPLER_ARG).toBe(0.25);
  });

  it("are rejected with an instruction and without their value", () => {
    const reasons = reasonsOf({
      OTEL_EXPORTER_OTLP_HEADERS: "a-secret-without-a-name",
      OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317",
      OTEL_TRACES_SAMPLER_ARG: "all",
    });
    expect(reasons).toEqual([
      "OTEL_TRACES_SAMPLER_ARG: Set a number from 0 to 1.",
      "OTEL_EXPORTER_OTLP_ENDPOINT: Set a URL that starts with http:// or https://.",
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS: Set pairs such as name=value/),
    ]);
  });

  it.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }, expect.anything()],
  ])("with %j open tracing: %j", async (source, expected) => {
    const tracing = await openTracing(read(source), { warn: () => {} });
    expect(tracing).toEqual(expected);
    await tracing?.close();
  });
});

it("prepared statements are used unless they are switched off", () => {
  expect(readEnv({}).DATABASE_PREPARED_STATEMENTS).toBe(true);
  expect(readEnv({ DATABASE_PREPARED_STATEMENTS: "false" }).DATABASE_PREPARED_STATEMENTS).toBe(false);
});
