import { documentPath } from "../../../api/src/paths.ts";
import { developmentUrl } from "../document/document.ts";
import { type Operation, operations, type Parameter } from "../document/operations.ts";
import { developmentKey, isUpload, sampleFile } from "../reference/snippets/request.ts";

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** The Postman collection: a folder of each tag, and a request of each operation with its example. */
export function postmanCollection() {
  const folders = Map.groupBy(operations, ({ tag }) => tag);
  return {
    info: {
      name: "cardbridge",
      description: `Generated from ${documentPath}. Choose the environment with the address and the API key.`,
      schema,
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    event: [{ listen: "test", script: { type: "text/javascript", exec: keepIds.split("\n") } }],
    item: [...folders].map(([name, members]) => ({ name, item: inOrder(members).map(requestOf) })),
    variable: idsOf(operations),
  };
}

/** A script of Postman: the ids of a response become the path parameters of the requests after it. */
const keepIds = `const body = pm.response.headers.get("content-type") === "application/json" ? pm.response.json() : {};
const [first = {}] = body.items ?? [];
for (const [name, value] of Object.entries({ ...first, ...body }))
  if (/Id$/.test(name) && value) pm.collectionVariables.set(name, value);`;

/** What is deleted is deleted after its last use. */
const inOrder = (members: readonly Operation[]) =>
  members.toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));

/** A variable of each path parameter, with its example. */
function idsOf(all: readonly Operation[]) {
  const inPath = all.flatMap(({ parameters }) => parameters.filter((parameter) => parameter.in === "path"));
  return [...new Map(inPath.map(({ name, example }) => [name, String(example ?? "")]))].map(
    ([key, value]) => ({
      key,
      value,
    }),
  );
}

/** The Postman environment of a development service. The service replaces its address and its key. */
export function postmanEnvironment() {
  return {
    name: "cardbridge",
    values: [
      { key: "baseUrl", value: developmentUrl, type: "default", enabled: true },
      { key: "apiKey", value: developmentKey, type: "secret", enabled: true },
    ],
    _postman_variable_scope: "environment",
  };
}

function requestOf(operation: Operation) {
  const { id, method, summary, description } = operation;
  return {
    name: summary,
    request: {
      method,
      header: headersOf(operation),
      url: urlOf(operation),
      body: bodyOf(operation),
      description,
    },
    response: [],
    // The name of the operation in the document.
    id,
  };
}

function headersOf({ parameters, body }: Operation) {
  const optional = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name, description = "" }) => ({ key: name, value: "", description, disabled: true }));
  const json = { key: "Content-Type", value: "application/json" };
  return body?.type === json.value ? [json, ...optional] : optional;
}

function urlOf({ path, parameters }: Operation) {
  const names = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .split("/");
  const query = parameters.filter((parameter) => parameter.in === "query").map(variableOf);
  const raw = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}/${names.join("/")}${raw.length > 0 ? `?${raw.join("&")}` : ""}`,
    host: ["{{baseUrl}}"],
    path: names,
    query,
    variable: parameters
      .filter((parameter) => parameter.in === "path")
      .map(({ name, description = "" }) => ({ key: name, value: `{{${name}}}`, description })),
  };
}

/** A parameter with its example. A parameter without one is not sent. */
const variableOf = ({ name, example, description = "" }: Parameter) => ({
  key: name,
  value: example === undefined ? "" : String(example),
  description,
  ...(example === undefined ? { disabled: true } : {}),
});

function bodyOf(operation: Operation) {
  if (isUpload(operation))
    return {
      mode: "formdata",
      formdata: [
        { key: "purpose", value: "document_front", type: "text" },
        { key: "file", type: "file", src: sampleFile },
      ],
    };
  if (!operation.body) return undefined;
  const raw = JSON.stringify(operation.body.example, null, 2);
  return { mode: "raw", raw, options: { raw: { language: "json" } } };
}
