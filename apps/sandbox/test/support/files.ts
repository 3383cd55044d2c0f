import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { submission } from "./submission.ts";

/** The shortest content that counts as each file type, and two contents of no accepted type. */
export const bytesOf = {
  jpeg: Buffer.from("ffd8ffe000104a4649460001", "hex"),
  png: Buffer.from("89504e470d0a1a0a0000000d", "hex"),
  webp: Buffer.from("RIFF\x04\0\0\0WEBP", "latin1"),
  heic: Buffer.from("\0\0\0\x18ftypheic", "latin1"),
  pdf: Buffer.from("%PDF-1.7\n%%EOF\n"),
  html: Buffer.from("<!doctype html><title>Welcome</title>"),
  nothing: Buffer.alloc(0),
};

/** The response for a path. Undefined is a 404. */
type FileResponse = Buffer | ((response: ServerResponse) => void);

/** Starts an HTTP server that serves files by path and ignores the query. */
export async function serveFiles(responses: Record<string, FileResponse | undefined> = {}) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { url = "" } = request;
    requests.push(url);
    const file = responses[url.replace(/\?.*/, "")];
    if (typeof file === "function") file(response);
    else response.writeHead(file ? 200 : 404).end(file ?? "Not found.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function close() {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);
  return { url, requests, close, responses };
}

/** A submission with all files on one server: `/front`, `/selfie` and `/statement`. */
export function submissionFrom(url: string, tag?: string) {
  const content = submission(tag);
  const signed = (path: string) => `${url}${path}?expires=1&signature=one`;
  return {
    ...content,
    document: {
      ...content.document,
      frontImageUrl: signed("/front"),
      selfieImageUrl: signed("/selfie"),
    },
    supportingDocuments: [{ type: "BANK_STATEMENT", fileUrl: signed("/statement") }],
  };
}
