import { developmentUrl } from "../../document/document.ts";
import type { Operation } from "../../document/operations.ts";
import { developmentKey, isDownload, isUpload, sampleFile } from "./request.ts";

/** The example call of an operation with `@cardbridge/client`, which has no method for the bytes of a file. */
export function typescriptOf(operation: Operation): string | undefined {
  if (isDownload(operation)) return undefined;
  const imports = ['import { createClient } from "@cardbridge/client";'];
  if (isUpload(operation)) imports.unshift('import { openAsBlob } from "node:fs";');
  return [
    ...imports,
    "",
    "const cardbridge = createClient({",
    `  baseUrl: "${developmentUrl}",`,
    `  apiKey: "${developmentKey}",`,
    "});",
    `const result = await cardbridge.${operation.id}(${argumentOf(operation)});`,
    "console.log(result);",
  ].join("\n");
}

/** The path, the query and the body in one object, as the client's methods take them. */
function argumentOf(operation: Operation): string {
  if (isUpload(operation))
    return `{\n  purpose: "document_front",\n  file: await openAsBlob("${sampleFile}"),\n}`;
  const { parameters, body } = operation;
  const named = parameters.filter(({ example }) => example !== undefined);
  const input = {
    ...Object.fromEntries(named.map(({ name, example }) => [name, example])),
    ...(body?.example as object | undefined),
  };
  return Object.keys(input).length === 0 ? "" : literalOf(input);
}

/** JSON with the names of its members as TypeScript writes them. */
const literalOf = (value: object): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"(\w+)":/gm, "$1$2:")
    .replaceAll(/(["}\]\w])$/gm, "$1,")
    .slice(0, -1);
