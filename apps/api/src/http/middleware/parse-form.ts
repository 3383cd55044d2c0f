import { MIMEType } from "node:util";
import { Failure, type Violation } from "@cardbridge/domain";
import {
  MaxFileSizeExceededError,
  MaxHeaderSizeExceededError,
  MaxPartsExceededError,
  MultipartParser,
  type MultipartPart,
} from "@remix-run/multipart-parser";
import { malformed, tooLarge } from "../errors/malformed.ts";

/** Far more parts and headers than an upload has. Parts with other names are ignored. */
const maxParts = 8;
const maxPartHeaderBytes = 1_024;
/** Longer texts are truncated: no valid value of a field is that long. */
const maxTextBytes = 1_024;

type Fields = Record<string, string | File>;

/** Parses a form while it arrives. */
export interface FormParser {
  /** @throws Failure PAYLOAD_TOO_LARGE, MALFORMED_REQUEST. */
  write(chunk: Uint8Array): void;
  /** The named fields of the complete form. @throws Failure MALFORMED_REQUEST, INVALID_INPUT for a repeated field. */
  end(): Fields;
}

/**
 * Creates a parser of multipart/form-data (RFC 7578) that keeps the fields with these names.
 * @param type the header Content-Type
 * @param maxBytes the maximum size of a file in bytes
 * @throws Failure MALFORMED_REQUEST for a missing or invalid boundary.
 */
export function createFormParser(type: string, names: readonly string[], maxBytes: number): FormParser {
  const parser = new MultipartParser(boundaryOf(type), {
    maxParts,
    maxHeaderSize: maxPartHeaderBytes,
    maxFileSize: maxBytes,
    // `receiveBody` limits the size of the body.
    maxTotalSize: Number.POSITIVE_INFINITY,
  });
  const fields: Fields = {};
  const repeated = new Set<string>();

  const keep = (part: MultipartPart) => {
    const { name } = part;
    if (name === undefined) throw malformed("form-name", 'Name each part: form-data; name="file".');
    if (!names.includes(name)) return;
    if (Object.hasOwn(fields, name)) repeated.add(name);
    fields[name] = contentOf(part);
  };
  const isComplete = () => {
    try {
      parser.finish();
      return true;
    } catch {
      return false;
    }
  };

  return {
    write(chunk) {
      try {
        for (const part of parser.write(chunk)) keep(part);
      } catch (error) {
        // The parser refuses bytes after the form, which RFC 2046 allows.
        if (!isComplete()) throw toFailure(error, maxBytes);
      }
    },
    end() {
      if (!isComplete())
        throw malformed("form", "The form is incomplete. End it with its boundary and two dashes.");
      if (repeated.size > 0) throw new Failure("INVALID_INPUT", { violations: [...repeated].map(onlyOnce) });
      return fields;
    },
  };
}

/** The boundary of 1 to 70 characters (RFC 2046). */
function boundaryOf(type: string): string {
  const boundary = parseType(type)?.params.get("boundary") ?? "";
  if (/^[\x20-\x7e]{1,70}$/.test(boundary)) return boundary;
  const message = "Name the boundary in Content-Type, in 1 to 70 characters of ASCII.";
  throw malformed("form-boundary", message, "Content-Type");
}

function parseType(type: string): MIMEType | undefined {
  try {
    return new MIMEType(type);
  } catch {
    return undefined;
  }
}

/** A part with a file name is a file. Its name and type are not used: the bytes decide. */
function contentOf({ headers, content }: MultipartPart): string | File {
  if (/; *filename\*?=/i.test(headers["content-disposition"] ?? "")) {
    return new File(content as Uint8Array<ArrayBuffer>[], "");
  }
  return Buffer.concat(content).subarray(0, maxTextBytes).toString();
}

function toFailure(error: unknown, maxBytes: number): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof MaxFileSizeExceededError) return tooLarge(maxBytes);
  if (error instanceof MaxPartsExceededError)
    return malformed("form-parts", `Send at most ${maxParts} parts.`);
  if (error instanceof MaxHeaderSizeExceededError) {
    return malformed("form-headers", `Send at most ${maxPartHeaderBytes} bytes of headers in each part.`);
  }
  return malformed("form", "The body is not valid multipart/form-data.");
}

function onlyOnce(field: string): Violation {
  return { path: [field], rule: "single-value", message: "Send this field once." };
}
