import type { Operation } from "../../document/operations.ts";
import { developmentKey, exampleUrl, isDownload, isUpload, sampleFile } from "./request.ts";

/** The example request of an operation for curl. */
export function curlOf(operation: Operation): string {
  const { method, body } = operation;
  const usual = body ? "POST" : "GET";
  const lines = [
    `curl -sS ${method === usual ? "" : `-X ${method} `}"${exampleUrl(operation)}"`,
    `-H "Authorization: Bearer ${developmentKey}"`,
    ...bodyLines(operation),
    ...(isDownload(operation) ? [`-o ${sampleFile}`] : []),
  ];
  return lines.join(" \\\n  ");
}

function bodyLines(operation: Operation): string[] {
  if (isUpload(operation)) return ['-F "purpose=document_front"', `-F "file=@${sampleFile}"`];
  if (!operation.body) return [];
  const json = JSON.stringify(operation.body.example, null, 2).replaceAll("'", "'\\''");
  return ['-H "Content-Type: application/json"', `-d '${json}'`];
}
