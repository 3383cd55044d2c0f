/** The attributes of a span: constants and ids of this service; never values of a caller, the provider or a row. */
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
  /** `server` handles a request, `client` calls another system. Absent for other spans. */
  kind?: "server" | "client";
  /** The W3C traceparent of the parent span. Without a valid traceparent, the current span is the parent. */
  parent?: string | null | undefined;
  attributes?: SpanAttributes;
}

export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
}

/** Records spans and traces. It never fails or delays the work. */
export interface Tracer {
  /** Runs work in a new span, which is the current span until the work ends. Rethrows errors of the work unchanged. */
  run<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  /** Whether there is an active current span, and its trace is sampled. */
  isRecording(): boolean;
  /** The current span as a W3C traceparent, to continue the trace elsewhere; undefined without a span. */
  traceparent(): string | undefined;
}

const noSpan: Span = { rename() {}, set() {} };

/** Traces nothing. */
export const noTracer: Tracer = {
  run: (_start, work) => work(noSpan),
  isRecording: () => false,
  traceparent: () => undefined,
};
