import { expect } from "vitest";
import type { Submission } from "../../deep/faults/clients/marked-submission.ts";
import { type Binding, bindingOf, bindings } from "../../support/bindings.ts";
import { anyName } from "../../support/names.ts";
import { type Answer, type Call, createClient } from "./client.ts";
import { createMarks } from "./marks.ts";
import type { Services, Target } from "./services.ts";

interface Sent {
  service?: Target;
  key?: string;
  headers?: Record<string, string>;
}

export type Canary = ReturnType<typeof createCanary>;

export const both = ["REST", "tRPC"] as const;
export const json = { "content-type": "application/json" };

/** The queries of a platform's data, over each transport. */
export const queries = bindings.filter(
  ({ operation }) => operation.kind === "read" && operation.reach === undefined,
);

export const idOf = ({ body }: Answer) => /kyc_[0-9a-z]+/.exec(body)?.[0] ?? "";

/** Callers whose requests carry marks, to services that start later. */
export function createCanary(services: () => Services) {
  const marks = createMarks();
  const client = createClient(marks);

  /** Calls an operation over one transport, with marks in unknown fields and parameters where they are ignored. */
  function ask(id: string, transport: Binding["transport"], input: object, sent: Sent = {}): Promise<Answer> {
    const binding = bindingOf(id, transport);
    const isBody = binding.request({ ...input }).body !== undefined;
    const { path, ...request } = binding.request({
      ...input,
      ...(isBody && { [marks.next()]: marks.next() }),
    });
    const { service = services().well, key = services().keys.first } = sent;
    const parameter = `${path.includes("?") ? "&" : "?"}${marks.next()}=${marks.next()}`;
    const unknown = transport === "tRPC" ? parameter : "";
    const headers = { ...request.headers, ...sent.headers };
    const name = `${id} over ${transport}`;
    return client.call(name, service.url, { ...request, path: path + unknown, headers }, key);
  }

  return {
    services,
    marks,
    /** The provider's raw values: shown and stored unchanged, but never logged. */
    words: createMarks(),
    client,
    ask,
    /** Calls an operation over both transports; returns the statuses. */
    async askBoth(id: string, input: () => object, sent?: Sent): Promise<number[]> {
      const answers = [];
      for (const transport of both) answers.push(await ask(id, transport, input(), sent));
      return answers.map(({ status }) => status);
    },
    async call(name: string, request: Call, key = services().keys.first): Promise<number> {
      return (await client.call(name, services().well.url, request, key)).status;
    },
    /** Submits a new user. */
    async submitted(): Promise<Submission & { kycRecordId: string; userReference: string }> {
      const submission = marks.submission();
      const answer = await ask("kyc.submit", "REST", submission);
      expect(answer.status).toBe(200);
      const userReference = /usr_[0-9a-z]+/.exec(answer.body)?.[0] ?? "";
      return { ...submission, kycRecordId: idOf(answer), userReference };
    },
    /** A name of the submission's user, or another text if the submission does not contain that name. */
    nameOf: (own: object, name: string): string => Reflect.get(own, name) ?? anyName(name, marks.next()),
  };
}
