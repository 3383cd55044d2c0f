/** The attributes of a span: our own words and ids; never a value of a caller, the provider or a row. */
export type SpanAttributes = Readonly<
  Partial<
    Record<
      | "http.request.method"
      | "http.route"
      | "http.response.status_code"
      | "db.system.name"
      /** Marks the span as failed. */
      | "error.type"
      | "cardbridge.request_id"
      | "cardbridge.procedures"
      | "cardbridge.outcome"
      | "cardbridge.reason"
      | "cardbridge.step"
      | "cardbridge.attempt",
      string | number
    >
  >
>;

export interface SpanStart {
  name: string;
  /** `server` answers a request, `client` waits for another system. Neither when absent. */
  kind?: "server" | "client";
  /** The W3C traceparent of the span that this one continues. Without a valid one, the current span is the parent. */
  parent?: string | null | undefined;
  attributes?: SpanAttributes;
}

export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
}

/** Records what happens in which span of which trace. It never fails or delays the work. */
export interface Tracer {
  /** Runs work in a new span, which is the current one meanwhile. An error of the work passes unchanged. */
  run<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  /** Whether there is a current span that has not ended, and its trace is sampled. */
  isRecording(): boolean;
  /** The current span as a W3C traceparent, for whoever continues the trace; undefined without a span. */
  traceparent(): string | undefined;
}

const noSpan: Span = { rename() {}, set() {} };

/** Traces nothing. */
export const noTracer: Tracer = {
  run: (_start, work) => work(noSpan),
  isRecording: () => false,
  traceparent: () => undefined,
};
