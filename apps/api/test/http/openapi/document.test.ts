import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPolicies, type JsonSchema } from "@cardbridge/domain";
import { createOperations, listOperations } from "@cardbridge/service";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { basePath } from "../../../src/config/paths.ts";
import { createDocument } from "../../../src/http/openapi/document.ts";
import { restRoutes } from "../../../src/http/rest/routes.ts";

const operations = createOperations(defaultPolicies);
const all = listOperations(operations);
const routes = restRoutes(operations);
const document = createDocument(routes, { publicUrl: "https://cards.cardbridge.test", environment: "test" });
const text = JSON.stringify(document);

describe("the OpenAPI document", () => {
  it("is clean under spectral", async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: [rulesets.oas] } as never);
    const findings = await linter.run(text);
    expect(findings.map(({ code, path, message }) => `${code} ${path.join("/")}: ${message}`)).toEqual([]);
  });

  it("is clean under redocly", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const findings = await lintFromString({
      source: text,
      absoluteRef: join(tmpdir(), "openapi.json"),
      config,
    });
    expect(findings.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it("publishes full paths, operation ids and security", () => {
    const served = routes.map(({ method, path, operation }) => [basePath + path, method, operation.id]);
    const published = routes.map(({ method, path }) => {
      const item = document.paths[basePath + path] as Record<string, { operationId: string }>;
      return [basePath + path, method, item[method]?.operationId];
    });
    expect(published).toEqual(served);
    const methods = Object.values(document.paths).flatMap((item) => Object.keys(item as object));
    expect(methods).toHaveLength(routes.length + 1);
    expect(document.paths).toHaveProperty(["/files/{fileId}", "get", "operationId"], "files.read");
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(["apiKey"]);
  });

  it("omits the operations that REST does not serve", () => {
    const unserved = all.filter((operation) => !routes.some((route) => route.operation === operation));
    expect(unserved.length).toBeGreaterThan(5);
    for (const words of ["admin", '"KEY_']) expect(text.includes(words)).toBe(false);
  });

  it("publishes every rule between the fields", () => {
    const rules = routes.flatMap(({ operation }) => operation.rules.map((rule) => rule.id));
    const published = [...text.matchAll(/"x-rule":"([^"]+)"/g)].map(([, id]) => id);
    expect(published.sort()).toEqual(rules.sort());
  });

  it("has an example for every error code of an operation", () => {
    for (const route of routes) {
      const item = JSON.stringify(document.paths[`/openapi/v1${route.path}`]);
      for (const code of route.operation.errors) expect(item).toContain(`"code":"${code}"`);
    }
  });

  it("documents the rate limits of all operations (G22)", () => {
    for (const { path, method } of routes) {
      const item = document.paths[`/openapi/v1${path}`] as Record<
        string,
        { responses: Record<string, Heading> }
      >;
      const responses = item[method]?.responses ?? {};
      const allowance = ["ratelimit", "ratelimit-policy"];
      for (const { headers } of Object.values(responses))
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(["x-request-id", ...allowance]));
      expect(responses["429"]?.headers).toHaveProperty("retry-after");
    }
  });

  it("documents where and when to read an accepted submission", () => {
    const headers = ["responses", "202", "headers"];
    const submit = (document.paths["/openapi/v1/users/kyc"] as { post: object }).post;
    for (const name of ["location", "retry-after"]) expect(submit).toHaveProperty([...headers, name]);
  });

  it("has open types for codes and rule ids, with all known values (G23)", () => {
    const schemas = document.components.schemas as Record<string, { properties: Record<string, JsonSchema> }>;
    const codes = ["Problem", "KycResult", "KycHistoryEntry", "KycReason"];
    for (const id of codes) {
      const code = schemas[id]?.properties.code;
      expect([id, code]).toEqual([id, expect.not.objectContaining({ enum: expect.anything() })]);
      expect(code).toMatchObject({
        type: "string",
        "x-known-values": expect.arrayContaining([expect.any(String)]),
      });
    }
    const known = schemas.Problem?.properties.code?.["x-known-values"];
    const own = routes.flatMap(({ operation }) => operation.errors);
    expect(known).toEqual(expect.arrayContaining([...own, "FILE_NOT_FOUND", "ROUTE_NOT_FOUND"]));
    expect(schemas.Problem).toHaveProperty(
      ["properties", "errors", "items", "properties", "rule", "x-known-values"],
      expect.arrayContaining([
        "required",
        "exactly-one-identifier",
        "card-id",
        "pdf-active",
        "DOCUMENT_EXPIRED",
      ]),
    );
  });

  it("publishes the rule of Idempotency-Key that the service enforces", () => {
    const keys = [...text.matchAll(/"name":"Idempotency-Key".*?"schema":(\{.*?\})/g)].map(([, json = ""]) =>
      JSON.parse(json),
    );
    const published = { minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" };
    const idempotent = routes.filter(({ operation }) => operation.idempotent);
    expect(keys).toEqual(idempotent.map(() => expect.objectContaining(published)));
  });

  it("has only examples that match its schemas", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: "doc" });
    const media = [...text.matchAll(/"schema":\{"\$ref":"(#[^"]+)"\},"examples":/g)];
    expect(media.length).toBeGreaterThan(10);
    for (const item of Object.values(document.paths)) {
      for (const { responses, requestBody } of Object.values(item as Record<string, Media>)) {
        for (const { content = {} } of [...Object.values(responses), ...(requestBody ? [requestBody] : [])]) {
          for (const { schema, examples } of Object.values(content)) {
            if (schema.$ref === undefined) continue;
            const validate = ajv.compile({ $ref: `doc${schema.$ref}` });
            for (const { value } of Object.values(examples ?? {})) {
              expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
            }
          }
        }
      }
    }
  });
});

type Heading = { headers: Record<string, object> };
type Body = {
  content?: Record<string, { schema: { $ref?: string }; examples: Record<string, { value: unknown }> }>;
};
type Media = { responses: Record<string, Body>; requestBody?: Body };
