import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defaultPolicies } from "@cardbridge/domain";
import { parseSync } from "oxc-parser";
import { check } from "recheck";
import { expect, it, vi } from "vitest";

/** Finds every regular expression of the project and checks that it runs in linear time. */
interface Expression {
  source: string;
  flags: string;
}

const root = fileURLToPath(new URL("../../../../../", import.meta.url));

/** All literals in the sources of all packages, without those of the documentation's build, which reads our own pages. */
async function written(): Promise<Expression[]> {
  const names = await Promise.all(
    ["packages", "apps"].map(async (group) =>
      (await readdir(`${root}${group}`, { recursive: true })).map((name) => `${group}/${name}`),
    ),
  );
  const files = names
    .flat()
    .filter((name) => /^\w+\/\w+\/src\/.*\.[jt]s$/.test(name) && !/^apps\/docs\/src\/(?!theme)/.test(name));
  const found: Expression[] = [];
  for (const file of files) {
    const { program } = parseSync(file, await readFile(`${root}${file}`, "utf8"));
    visit(program, (key, value) => {
      if (key === "regex" && value) found.push({ source: value.pattern, flags: value.flags });
    });
  }
  return found;
}

/** All expressions that our modules construct, recorded while they load. */
async function made(): Promise<Expression[]> {
  const found: Expression[] = [];
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, args) {
      const [, , caller = ""] = new Error().stack?.split("\n") ?? [];
      const expression = Reflect.construct(target, args) as RegExp;
      if (caller.includes("/src/") && !caller.includes("node_modules")) found.push(expression);
      return expression;
    },
  });
  // Earlier imports have already loaded these modules. Load them again, to record their expressions.
  vi.resetModules();
  await import("../../../src/admission/api-key.ts");
  await import("@cardbridge/provider");
  await import("@cardbridge/egress");
  globalThis.RegExp = Native;
  return found;
}

/** All published patterns, including a restriction of file URLs. */
async function published(): Promise<Expression[]> {
  const { createDocument } = await import("../../../src/http/openapi/document.ts");
  const { createOperations } = await import("@cardbridge/service");
  const { restRoutes } = await import("../../../src/http/rest/routes.ts");
  const policies = {
    ...defaultPolicies,
    fileOrigins: ["https://files.example.com", "http://127.0.0.1:8080"],
  };
  const document = createDocument(restRoutes(createOperations(policies)), {
    publicUrl: "https://cards.cardbridge.test",
    environment: "test",
  });
  const found: Expression[] = [];
  visit(document, (key, value) => {
    if (key === "pattern") found.push({ source: value, flags: "u" });
  });
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON, told apart by its keys.
function visit(json: unknown, see: (key: string, value: any) => void): void {
  JSON.stringify(json, (key, value) => {
    see(key, value);
    return typeof value === "bigint" ? String(value) : value;
  });
}

const expressions = [...(await written()), ...(await made()), ...(await published())];
/** A literal escapes slashes, which a constructed expression need not. */
const keyOf = ({ source, flags }: Expression) => `/${source.replaceAll("\\/", "/")}/${flags}`;
const unique = new Map(expressions.map((one) => [keyOf(one), one]));
// The checker's own time limits report false positives on a busy machine. The number of steps limits it instead.
const unlimited = { timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };
// A third of the default effort, which still finds cases such as /^(a|b|ab)*c$/.
const effort = { ...unlimited, maxIteration: 3 };

it.each([
  ["written as a literal", "^Bearer +(\\S+)$"],
  ["made of parts", "^cb_(?:int_)?(live|test)_[0-9A-Za-z]{30}$"],
  ["made in another package", "^[^\\p{Cc}\\p{Cs}]{1,64}$"],
  ["published", "^[0-9]{4,20}$"],
])("finds expressions that are %s", (_name, source) => {
  expect(expressions.map((expression) => expression.source)).toContain(source);
});

it.each(["^(a|b|ab)*c$", "\\/+$", "^([a-z]+\\.?)+$"])(
  "the checker detects a slow expression: %s",
  async (source) => {
    expect((await check(source, "", effort)).status).toBe("vulnerable");
  },
);

it.each([...unique])("%s runs in linear time", async (_text, { source, flags }) => {
  expect((await check(source, flags, effort)).status).toBe("safe");
});
