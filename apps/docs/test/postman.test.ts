import { readFile } from "node:fs/promises";
import { startTestService } from "@cardbridge/api/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations } from "../src/document/operations.ts";
import { postmanCollection, postmanEnvironment } from "../src/output/postman.ts";
import { collectIds } from "./support/collect-ids.ts";

type Item = ReturnType<typeof postmanCollection>["item"][number]["item"][number];

const { info, item: folders, variable: defaults } = postmanCollection();
const items = folders.flatMap(({ item }) => item);
const environment = new Map(postmanEnvironment().values.map(({ key, value }) => [key, value]));
const sample = await readFile(new URL("../../api/samples/document-front.jpg", import.meta.url));

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

it("the collection has the format of Postman and a request of each operation", () => {
  expect(info.schema).toBe("https://schema.getpostman.com/json/collection/v2.1.0/collection.json");
  expect(items.map(({ id }) => id).sort()).toEqual(operations.map(({ id }) => id).sort());
  for (const { request } of items) {
    const { raw, host, path, variable } = request.url;
    expect(raw.split("?")[0]).toBe([...host, ...path].join("/"));
    expect(variable.map(({ key }) => `:${key}`)).toEqual(path.filter((part) => part.startsWith(":")));
  }
});

it("each request of the collection succeeds against a service", async () => {
  environment.set("baseUrl", service.url);
  const ids: Record<string, string> = {};
  // The collection's script keeps the ids of earlier responses in the same way.
  for (const item of items) {
    const response = await fetch(urlOf(item, ids), requestOf(item));
    const body = Buffer.from(await response.arrayBuffer());
    const expected = operations.find(({ id }) => id === item.id)?.responses ?? {};
    expect(Object.keys(expected), `${item.id}: ${body}`).toContain(String(response.status));
    expect(response.ok, `${item.id}: ${body}`).toBe(true);
    if (response.headers.get("content-type") === "application/json")
      collectIds(JSON.parse(String(body)), ids);
  }
});

function urlOf({ request: { url } }: Item, ids: Record<string, string>): string {
  return filled(url.raw).replaceAll(/:([a-z]\w+)/gi, (_, name: string) => {
    const example = defaults.find(({ key }) => key === name)?.value;
    return ids[name] ?? example ?? "";
  });
}

function requestOf({ request: { method, header, body } }: Item): RequestInit {
  const sent = header.filter((one) => !("disabled" in one)).map(({ key, value }) => [key, value]);
  const headers = { authorization: `Bearer ${environment.get("apiKey")}`, ...Object.fromEntries(sent) };
  return { method, headers, body: body?.mode === "formdata" ? formOf(body) : (body?.raw ?? null) };
}

function formOf({ formdata = [] }: NonNullable<Item["request"]["body"]>): FormData {
  const form = new FormData();
  for (const { key, type, value = "" } of formdata)
    if (type === "file") form.set(key, new Blob([sample]), "front.jpg");
    else form.set(key, value);
  return form;
}

const filled = (text: string) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => environment.get(name) ?? "");
