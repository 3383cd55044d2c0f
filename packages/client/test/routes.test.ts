import { type Route, restRoutes } from "@cardbridge/api/rest";
import { defaultPolicies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import { expect, it } from "vitest";
import { testClient } from "./support/test-client.ts";
import { json } from "./support/test-fetch.ts";

const routes = restRoutes(createOperations(defaultPolicies));
type Method = (input: unknown) => Promise<unknown>;

it.each(routes.map((route) => [route.operation.id, route] as const))(
  "%s sends a request to its route",
  async (id, route) => {
    const { client, requests } = testClient([json({})]);
    const [noun = "", verb = ""] = id.split(".");
    const nouns = client as unknown as Record<string, Record<string, Method>>;
    await nouns[noun]?.[verb]?.(route.operation.example.input);
    const [request] = requests;
    if (!request)
      throw new Error(`The client has no method ${id}: add it to packages/client/src/${noun}.ts.`);
    expect(request.init.method).toBe(route.method.toUpperCase());
    expect(request.headers.get("authorization")).toBe("Bearer cb_test_key");
    const { path, rest } = pathOf(route);
    const url = new URL(request.url);
    expect(url.pathname).toBe(`/openapi/v1${path}`);
    expect(await texts(inputOf(route, url, request.init))).toEqual(await texts(rest));
  },
);

/** The path with its parameters replaced, and the other fields of the input. */
function pathOf({ path, operation }: Route) {
  const rest: Record<string, unknown> = { ...(operation.example.input as object) };
  const replaced = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return value;
  });
  return { path: replaced, rest };
}

/** The fields, with the content of files. */
async function texts(fields: object): Promise<unknown> {
  const all = Object.entries(fields).map(async ([name, value]) => [
    name,
    value instanceof Blob ? await value.text() : value,
  ]);
  return Object.fromEntries(await Promise.all(all));
}

function inputOf({ reads }: Route, url: URL, { body }: RequestInit): object {
  if (reads === "query") return Object.fromEntries(url.searchParams);
  if (reads === "form") return Object.fromEntries(body as FormData);
  return JSON.parse(String(body));
}
