import { fullKey } from "./fakes.ts";
import { converse } from "./raw-http.ts";

/** A part of a form with the boundary `b`. */
export const part = (name: string, value: string, file = "") =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;

/** A complete upload form. */
export const wholeForm = `${part("purpose", "selfie")}${part("file", "x", '; filename="../../x"')}--b--\r\n`;

/** Uploads a form over a raw socket. It may be shorter than the announced length. */
export function uploadForm(url: string, body: string, length = body.length) {
  const head = [
    "POST /openapi/v1/files HTTP/1.1",
    "host: a",
    "connection: close",
    `authorization: Bearer ${fullKey}`,
    "content-type: multipart/form-data; boundary=b",
    `content-length: ${length}`,
  ];
  return converse(url, (socket) => void socket.write(`${head.join("\r\n")}\r\n\r\n${body}`));
}
