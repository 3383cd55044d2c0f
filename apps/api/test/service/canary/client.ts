import { type RawAnswer, rawRequest } from "../../support/raw-http.ts";
import type { Marks } from "./marks.ts";

export interface Answer {
  what: string;
  status: number;
  /** Status line and headers. */
  headers: string;
  body: string;
}

export interface Call {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | FormData | Uint8Array<ArrayBuffer> | undefined;
}

/** A caller that puts marks into all unknown headers, and records every response. */
export function createClient(marks: Marks) {
  const answers: Answer[] = [];

  function remember(what: string, status: number, headers: string, body: string): Answer {
    const answer = { what, status, headers, body };
    answers.push(answer);
    return answer;
  }

  return {
    answers,

    /** Makes a call. `what` labels its response. */
    async call(what: string, url: string, { path, headers, ...call }: Call, key?: string): Promise<Answer> {
      const given = { ...curious(marks), ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
      const init = { ...call, headers: { ...given, ...headers }, redirect: "manual" as const };
      const response = await fetch(`${url}${path}`, init as RequestInit);
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
      return remember(what, response.status, lines.join("\n"), await response.text());
    },

    /** Makes a call over a raw socket, for invalid requests. */
    async raw(what: string, url: string, ...parts: string[]): Promise<Answer> {
      const { status, headers, body }: RawAnswer = await rawRequest(url, ...parts);
      return remember(what, status, headers, body);
    },
  };
}

function curious(marks: Marks): Record<string, string> {
  const names = ["user-agent", "cookie", "referer", "forwarded", "x-forwarded-for", "x-request-id"];
  const more = ["traceparent", "x-member-id", "accept-language", "from", "x-real-ip", "webhook-id"];
  return Object.fromEntries([...names, ...more].map((name) => [name, `${name}-${marks.next()}`]));
}
