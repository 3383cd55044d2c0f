import type { Operation } from "../../document/operations.ts";
import { developmentKey, exampleUrl, isDownload, isUpload, sampleFile } from "./request.ts";

/** The example request of an operation for Python with its standard library. */
export function pythonOf(operation: Operation): string {
  const { body, method } = operation;
  const hasJson = body && !isUpload(operation);
  return [
    ...(isDownload(operation) ? [] : ["import json"]),
    "import urllib.request",
    ...(isUpload(operation) ? ["import uuid"] : []),
    "",
    ...(isUpload(operation) ? formLines : []),
    ...(hasJson ? [`body = ${literalOf(body.example)}`] : []),
    "request = urllib.request.Request(",
    `    "${exampleUrl(operation)}",`,
    ...(hasJson ? ["    data=json.dumps(body).encode(),"] : []),
    ...(isUpload(operation) ? ["    data=form,"] : []),
    "    headers={",
    `        "Authorization": "Bearer ${developmentKey}",`,
    ...(hasJson ? ['        "Content-Type": "application/json",'] : []),
    ...(isUpload(operation) ? ['        "Content-Type": f"multipart/form-data; boundary={boundary}",'] : []),
    "    },",
    `    method="${method}",`,
    ")",
    `with urllib.request.urlopen(request, timeout=${isUpload(operation) ? 120 : 20}) as response:`,
    ...(isDownload(operation)
      ? [`    with open("${sampleFile}", "wb") as file:`, "        file.write(response.read())"]
      : ["    print(json.dumps(json.load(response), indent=2))"]),
  ].join("\n");
}

const formLines = [
  "boundary = uuid.uuid4().hex",
  'part = f"--{boundary}\\r\\nContent-Disposition: form-data; name="',
  `with open("${sampleFile}", "rb") as file:`,
  `    form = f'{part}"purpose"\\r\\n\\r\\ndocument_front\\r\\n{part}"file"; filename="${sampleFile}"\\r\\n\\r\\n'.encode()`,
  '    form += file.read() + f"\\r\\n--{boundary}--\\r\\n".encode()',
];

/** JSON as Python writes it. */
function literalOf(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replaceAll(/: (true|false|null)(?=,?$)/gm, (_, word: string) => `: ${pythonWords[word]}`)
    .replaceAll(/(["}\]\w])$/gm, "$1,")
    .slice(0, -1);
}

const pythonWords: Record<string, string> = { true: "True", false: "False", null: "None" };
