import { defaultPolicies, webhookEvents } from "@cardbridge/domain";
import { createOperations, listOperations } from "@cardbridge/service";

const operations = new Map(
  listOperations(createOperations(defaultPolicies)).map((operation) => [operation.id, operation]),
);

const namedPlatform =
  "The platform of the call, for keys of internal apps. Absent: the platform that the header names.";

/**
 * Adds the descriptions of operations, events and fields as comments above their declarations, for editors.
 *
 * @param {string} contract the declaration of src/contract.ts: one property per line, four spaces per level
 */
export function describe(contract) {
  const path = [];
  const lines = contract.split("\n").map((line) => {
    const [, indent, name] = /^( +)(?:readonly )?"?([\w.]+)"?\??: /.exec(line) ?? [];
    if (name === undefined) return line;
    path.splice(indent.length / 4 - 1, path.length, name);
    const text = descriptionAt(path)?.replaceAll("*/", "* /");
    return text === undefined ? line : `${indent}/** ${text} */\n${line}`;
  });
  return lines.join("\n");
}

/** @param {readonly string[]} path such as `cards.list` or `cards.list.output.items.cardId`, or the path of an event */
function descriptionAt(path) {
  const event = webhookEvents[path[0]];
  if (event) return path.length === 1 ? event.summary : describedAt(event.data.toJSONSchema(), path.slice(1));
  const end = path.findLastIndex((_, index) => operations.has(path.slice(0, index).join(".")));
  if (end < 0) return operations.get(path.join("."))?.description;
  const [io, ...fields] = path.slice(end);
  if (io !== "input" && io !== "output") return undefined;
  const operation = operations.get(path.slice(0, end).join("."));
  // The router adds this field to the inputs about one platform's data.
  if (operation.platform && io === "input" && fields.join() === "platformId") return namedPlatform;
  return describedAt(operation[io].toJSONSchema({ io }), fields);
}

/** The description of a field in a JSON Schema. */
function describedAt(schema, fields) {
  let field = schema;
  for (const name of fields) field = objectIn(field, schema.$defs)?.properties?.[name];
  return field?.description;
}

/** The schema of the object in a field: the field itself, an item of its array, or its non-null alternative. */
function objectIn(field, definitions) {
  if (field?.$ref !== undefined) return objectIn(definitions[field.$ref.split("/").at(-1)], definitions);
  const inner = field?.items ?? field?.anyOf?.find(({ type }) => type !== "null");
  return inner === undefined ? field : objectIn(inner, definitions);
}
