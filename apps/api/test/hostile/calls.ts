import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, listProcedures, type Operation } from "@cardbridge/service";
import { z } from "zod";
import { basePath } from "../../src/config/paths.ts";
import { type Route, restRoutes } from "../../src/http/rest/routes.ts";
import { needsPerson } from "../support/operator-scopes.ts";
import { sampleImage } from "../support/samples.ts";
import type { Message } from "./message.ts";
import { percent, print } from "./texts.ts";

/** Every operation over every transport, from the table of operations, which includes new ones automatically. */
export interface Binding {
  /** Such as `REST cards.list`. */
  name: string;
  operation: Operation;
  method: string;
  path: string;
  reads: Route["reads"];
  contentType: string;
  /** Creates a message with an input. */
  write(input: unknown): Pick<Message, "method" | "target" | "body">;
}

const jsonType = "application/json";
const formType = "multipart/form-data; boundary=boundary";

export const operations = createOperations(defaultPolicies);

/** Those that a key alone may call. */
const procedures = listProcedures(operations).filter((operation) => !needsPerson(operation));

export const bindings: readonly Binding[] = [
  ...restRoutes(operations).map(overRest),
  ...procedures.map(overTrpc),
];

/** Every procedure as a batch of one call. */
export const batches: readonly Binding[] = procedures.map(inBatch);

function overRest({ method, path, operation, reads }: Route): Binding {
  const verb = method.toUpperCase();
  return {
    name: `REST ${operation.id}`,
    operation,
    method: verb,
    path: basePath + path,
    reads,
    contentType: reads === "form" ? formType : jsonType,
    write(input) {
      const fields = typeof input === "object" && input !== null ? { ...input } : {};
      const target = (basePath + path).replace(/\{(\w+)\}/g, (_, name) => {
        const value = Reflect.get(fields, name);
        Reflect.deleteProperty(fields, name);
        return percent(value);
      });
      if (reads === "form") return { method: verb, target, body: form(fields) };
      const body = input === null ? null : fields;
      if (reads === "json") return { method: verb, target, body: Buffer.from(JSON.stringify(body) ?? "") };
      const query = Object.entries(fields).map(([name, value]) => `${percent(name)}=${percent(value)}`);
      return { method: verb, target: `${target}?${query.join("&")}`, body: Buffer.alloc(0) };
    },
  };
}

/** Creates a form; bytes become a file, other values text. */
function form(fields: object): Buffer {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const isFile = Buffer.isBuffer(value);
    const disposition = `form-data; name="${percent(name)}"${isFile ? '; filename="canary.jpg"' : ""}`;
    const head = `--boundary\r\nContent-Disposition: ${disposition}\r\n\r\n`;
    return [Buffer.from(head), isFile ? value : Buffer.from(print(value)), Buffer.from("\r\n")];
  });
  return Buffer.concat([...parts, Buffer.from("--boundary--\r\n")]);
}

function overTrpc(operation: Operation): Binding {
  const path = `/trpc/${operation.id}`;
  return {
    name: `tRPC ${operation.id}`,
    operation,
    method: operation.kind === "read" ? "GET" : "POST",
    path,
    reads: operation.kind === "read" ? "query" : "json",
    contentType: jsonType,
    write(input) {
      const json = JSON.stringify(input) ?? "";
      return operation.kind === "read"
        ? { method: "GET", target: `${path}?input=${percent(json)}`, body: Buffer.alloc(0) }
        : { method: "POST", target: path, body: Buffer.from(json) };
    },
  };
}

/** A batch of one call, as tRPC's batching clients send it. Its result must equal that of the single call. */
function inBatch(operation: Operation): Binding {
  const single = overTrpc(operation);
  return {
    ...single,
    name: `tRPC batch of ${operation.id}`,
    write(input) {
      const { target, ...message } = single.write({ 0: input });
      return { ...message, target: `${target}${target.includes("?") ? "&" : "?"}batch=1` };
    },
  };
}

/** The mark of personal data in these tests. */
export const canary = /canary|4047047047/i;

/**
 * An operation's example with marked personal data of the numbered person in every personal field. Two persons share no
 * value.
 */
export function exampleOf({ input, example }: Operation, person: number): Record<string, unknown> {
  return mark(example.input, input, person) as Record<string, unknown>;
}

function mark(value: unknown, schema: unknown, person: number): unknown {
  if (value instanceof File) return sampleImage;
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodObject && typeof value === "object") {
    const fields = Object.entries(value ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, mark(field, inner.shape[name], person)]));
  }
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => mark(item, inner.element, person));
  }
  const marked = [
    `canary-${person}`,
    `canary.${person}+approved@example.com`,
    `https://canary.example.com/${person}.jpg`,
    `4047047047${person}`,
  ];
  return marked.find((text) => inner instanceof z.ZodType && inner.safeParse(text).success) ?? value;
}
