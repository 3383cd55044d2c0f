import { expect, it } from "vitest";
import { document } from "../src/document/document.ts";
import { referencePages } from "../src/reference/pages.ts";
import { referenceItems } from "../src/reference/sidebar.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document as any reader of JSON sees it.
type Json = any;

const pages = new Map(referencePages().map(({ slug, markdown }) => [slug, markdown]));
const json: Json = JSON.parse(JSON.stringify(document));
const operations = Object.entries<Json>(json.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({
    id: operation.operationId,
    path,
    method,
    operation,
  })),
);

it.each(operations)(
  "the page of $id has its method, parameters, fields, statuses and error codes",
  ({ id, path, method, operation }) => {
    const markdown = pages.get(`reference/${id}`) ?? "";
    expect(markdown).toContain(`**${method.toUpperCase()}** \`${path}\`\n`);
    expect(pages.get("reference")).toContain(`[${operation.summary}](/docs/reference/${id})`);
    const parameters = operation.parameters.map((parameter: Json) => inDocument(parameter).name);
    const bodies = [operation.requestBody, operation.responses[200] ?? operation.responses[201]];
    const fields = bodies
      .flatMap((body) => Object.values<Json>(body?.content ?? {}))
      .flatMap(({ schema }) => pathsIn(schema));
    expect(missing(markdown, [...parameters, ...fields])).toEqual([]);
    for (const [status, { description }] of Object.entries<Json>(operation.responses)) {
      if (status.startsWith("2")) expect(markdown).toContain(`Status ${status}. `);
      for (const [, code = ""] of description.matchAll(/`([A-Z_]+)`: /g))
        expect(markdown).toContain(`\`${code}\``);
    }
  },
);

it.each(Object.entries<Json>(json.webhooks))("the page of events has each field of %s", (type, { post }) => {
  const fields = pathsIn(post.requestBody.content["application/json"].schema);
  const [, section = ""] = pages.get("reference/events")?.split(`## ${type}\n`) ?? [];
  expect(missing(section.split("\n## ")[0], fields)).toEqual([]);
});

it("each row of a table has a meaning", () => {
  const rows = [...pages].flatMap(([slug, markdown]) =>
    [...markdown.matchAll(/^\|.*\|$/gm)].map(([row]) => `${slug} ${row}`),
  );
  expect(rows.filter((row) => /\| +\|$/.test(row))).toEqual([]);
});

it("the sidebar has a short name for each operation", () => {
  const labels = referenceItems().flatMap((item) => ("items" in item ? item.items : [item]));
  const summaries = new Set(operations.map(({ operation }) => operation.summary));
  expect(labels.map(({ slug }) => slug).sort()).toEqual([...pages.keys()].sort());
  for (const { label } of labels) expect(label.length).toBeLessThan(22);
  expect(labels.filter(({ label }) => summaries.has(label)).map(({ label }) => label)).toEqual([
    "Read a card",
    "Upload a file",
    "Read a file",
  ]);
});

function inDocument({ $ref, ...own }: Json): Json {
  if ($ref === undefined) return own;
  return $ref
    .slice(2)
    .split("/")
    .reduce((node: Json, name: string) => node[name], json);
}

/** The names of all fields below a schema, as the pages write them. */
function pathsIn(schema: Json, prefix = ""): string[] {
  const { properties = {}, items, anyOf = [] } = inDocument(schema);
  return [
    ...Object.entries<Json>(properties).flatMap(([name, field]) => [
      prefix + name,
      ...pathsIn(field, `${prefix}${name}.`),
    ]),
    ...(items ? pathsIn(items, prefix && `${prefix.slice(0, -1)}[].`) : []),
    ...anyOf.flatMap((part: Json) => pathsIn(part, prefix)),
  ];
}

/** The names that start no row of a table of a page. */
const missing = (markdown = "", names: string[]) =>
  names.filter((name) => !markdown.includes(`\n| \`${name}\` | `));
