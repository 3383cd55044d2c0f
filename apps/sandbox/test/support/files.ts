import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { submission } from "./submission.ts";

/** The smallest that passes for a file of each type, and what passes for none. */
export const bytesOf = {
  jpeg: Buffer.from("ffd8ffe000104a4649460001", "hex"),
  png: Buffer.from("89504e470d0a1a0a0000000d", "hex"),
  webp: Buffer.from("RIFF\x04\0\0\0WEBP", "latin1"),
  heic: Buffer.from("\0\0\0\x18ftypheic", "latin1"),
  pdf: Buffer.from("%PDF-1.7\n%%EOF\n"),
  html: Buffer.from("<!doctype html><title>Welcome</title>"),
  nothing: Buffer.alloc(0),
};

/** How a path is answered; undefined is 404. */
type Answer = Buffer | ((response: ServerResponse) => void);

/** A server of files, by their paths; a submission names the files of a path with a query. */
export async function serveFiles(answers: Record<string, Answer | undefined> = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = "" } = request;
    asked.push(url);
    const answer = answers[url.replace(/\?.*/, "")];
    if (typeof answer === "function") answer(response);
    else response.writeHead(answer ? 200 : 404).end(answer ?? "Not here.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function close() {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);
  return { url, asked, close, answers };
}

/** A submission whose files all lie on a server: `/front`, `/selfie` and `/statement`. */
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
