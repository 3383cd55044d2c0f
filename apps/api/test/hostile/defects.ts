import { parseInput } from "@cardbridge/domain";
import { z } from "zod";
import { type Binding, exampleOf } from "./calls.ts";
import { type Message, type Mutation, withHeaders, without } from "./message.ts";
import { notFound, type Verdict } from "./verdict.ts";

type Input = Readonly<Record<string, unknown>>;

/** One defect of a call, independent of the caller. */
export interface Defect {
  name: string;
  verdict: Verdict;
  /** Converts a valid input into a defective one. */
  input?(right: Input): unknown;
  mutate?: Mutation;
}

const header = (name: string, value: string): Mutation => {
  return (message) => withHeaders(without(message, name), [name, value]);
};
const body = (text: string): Mutation => {
  return (message) => ({ ...message, body: Buffer.from(text) });
};
const inQuery = (text: string): Mutation => {
  return (message) => ({
    ...message,
    target: `${message.target}${message.target.includes("?") ? "&" : "?"}${text}`,
  });
};

const invalidHead = { stage: "head", code: "MALFORMED_REQUEST" } as const;
const malformed = { stage: "reading", code: "MALFORMED_REQUEST" } as const;
const unsupported = { stage: "reading", code: "UNSUPPORTED_MEDIA_TYPE" } as const;
const invalid = { stage: "input", code: "INVALID_INPUT" } as const;

export const noDefect: Defect = { name: "nothing", verdict: undefined };

const ofAll: readonly Defect[] = [
  {
    name: "a target beyond its limit",
    verdict: { stage: "head", code: "URI_TOO_LONG" },
    mutate: inQuery(`x=${"x".repeat(9_000)}`),
  },
  {
    name: "headers beyond their limit",
    verdict: { stage: "head", code: "HEADERS_TOO_LARGE" },
    mutate: header("x", "x".repeat(17_000)),
  },
  {
    name: "two hosts",
    verdict: invalidHead,
    mutate: (message) => withHeaders(message, ["Host", "b"]),
  },
  {
    name: "an invalid idempotency key",
    verdict: invalid,
    mutate: header("Idempotency-Key", "a b"),
  },
];

const ofKeyless: readonly Defect[] = [
  { name: "an idempotency key", verdict: invalid, mutate: header("Idempotency-Key", "a") },
];

const ofAllBodies: readonly Defect[] = [
  {
    name: "another origin",
    verdict: { stage: "head", code: "CROSS_ORIGIN" },
    mutate: header("Origin", "https://evil.test"),
  },
  { name: "another media type", verdict: unsupported, mutate: header("Content-Type", "text/plain") },
  { name: "no media type", verdict: unsupported, mutate: (message) => without(message, "content-type") },
  { name: "an encoded body", verdict: unsupported, mutate: header("Content-Encoding", "gzip") },
  { name: "no body", verdict: malformed, mutate: body("") },
];

const ofForms: readonly Defect[] = [
  { name: "no form", verdict: malformed, mutate: body("{") },
  { name: "a truncated form", verdict: malformed, mutate: body("--boundary\r\nContent-Disp") },
  {
    name: "a body beyond its limit",
    verdict: { stage: "reading", code: "PAYLOAD_TOO_LARGE" },
    mutate: body("x".repeat(100_000)),
  },
  {
    name: "a duplicate field",
    verdict: { stage: "reading", code: "INVALID_INPUT" },
    mutate: (message) => ({ ...message, body: Buffer.concat([twice, message.body]) }),
  },
  {
    name: "text for a file",
    verdict: invalid,
    input: (right) => ({ ...right, file: "text" }),
  },
  {
    name: "a file that is not an image",
    verdict: { stage: "run", code: "INVALID_INPUT" },
    input: (right) => ({ ...right, file: Buffer.from("<svg/>") }),
  },
];
const twice = Buffer.from('--boundary\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nselfie\r\n');

const ofJson: readonly Defect[] = [
  { name: "no JSON", verdict: malformed, mutate: body("{") },
  {
    name: "JSON nested too deep",
    verdict: malformed,
    mutate: body(`${"[".repeat(99)}${"]".repeat(99)}`),
  },
  {
    name: "a body beyond its limit",
    verdict: { stage: "reading", code: "PAYLOAD_TOO_LARGE" },
    mutate: body(`"${"x".repeat(70_000)}"`),
  },
  { name: "null for an input", verdict: invalid, input: () => null },
];

const ofQueries: readonly Defect[] = [
  { name: "broken percent-encoding", verdict: malformed, mutate: inQuery("x=%E0%A4") },
];

/** tRPC's client adds parameters. */
const ofRest: readonly Defect[] = [
  { name: "an unknown parameter", verdict: invalid, mutate: inQuery("x=1") },
];

/** The defects that every binding of a kind rejects in the same code. */
export function defectsOfKind({ operation, reads, path }: Binding): Defect[] {
  return [
    ...ofAll,
    ...(operation.idempotent ? [] : ofKeyless),
    ...(reads === "query" ? ofQueries : ofAllBodies),
    ...{ query: [], json: ofJson, form: ofForms }[reads],
    ...(path.startsWith("/trpc/") ? [] : ofRest),
  ];
}

/** The defects of a binding's own method and input. */
export const ownDefects = (binding: Binding): Defect[] => [
  noDefect,
  ...ofMethods(binding),
  ...ofInputs(binding),
];

function ofMethods({ method, path }: Binding): Defect[] {
  const isTrpc = path.startsWith("/trpc/");
  const verdict = { stage: isTrpc ? "procedure" : "route", code: "METHOD_NOT_ALLOWED" } as const;
  const become = (other: string): Mutation => {
    return (message: Message) => ({ ...message, method: other });
  };
  return [
    { name: "an unsupported method", verdict, mutate: become("PUT") },
    // Over REST, a path can have both methods.
    ...(isTrpc
      ? [{ name: "the other method", verdict, mutate: become(method === "GET" ? "POST" : "GET") }]
      : []),
  ];
}

/** Texts that no path parameter can be. The head is rejected where its target is not in normal form. */
const inPaths = [
  ...["*", "...", "+", "a".repeat(4_000)].map((text) => ({ text, verdict: invalid })),
  ...["a/b", "..\\b", "a?b=c", "a#b", "\r\nset-cookie: a=b", "é"].map((text) => ({
    text,
    verdict: invalidHead,
  })),
];

function ofInputs(binding: Binding): Defect[] {
  const { operation, path } = binding;
  const { input } = operation;
  const [field] = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  // A read over several platforms has no result without a match.
  const isSearch = operation.reach === "platforms";
  const missing = operation.kind === "read" && !isSearch ? notFound(binding) : undefined;
  const isInPath = path.includes(`{${field}}`);
  const inField = (value: unknown, verdict: Verdict): Defect => ({
    name: `${JSON.stringify(value)?.slice(0, 40)} in a field`,
    verdict,
    input: (right: Input) => ({ ...right, [field ?? ""]: value }),
  });
  // A path always has an id.
  const needsInput = !path.includes("{") && !parseInput(input, operation.rules, {}).ok;
  return [
    ...(needsInput ? [{ name: "no input", verdict: invalid, input: () => ({}) }] : []),
    ...(field === undefined ? [] : [inField("\u0000", isInPath ? invalidHead : invalid)]),
    ...(isInPath ? inPaths.map(({ text, verdict }) => inField(text, verdict)) : []),
    ...(field === undefined || isInPath || operation.kind === "read" ? [] : [inField(null, invalid)]),
    // A list that names nothing is about everything.
    ...(missing && (needsInput || path.includes("{"))
      ? [
          {
            name: "the name of an unknown user",
            verdict: { stage: "run", code: missing } as const,
            input: () => exampleOf(operation, 1),
          },
        ]
      : []),
  ];
}
