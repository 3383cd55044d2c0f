import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

/** A span as OTLP's JSON has it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code: number };
}

/** Receives traces by OTLP over HTTP, with JSON. */
export async function startOtlpReceiver() {
  const bodies: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    bodies.push(`${incoming.method} ${incoming.url} ${JSON.stringify(incoming.headers)}`);
    bodies.push(await text(incoming));
    outgoing.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Everything that arrived. */
    text: () => bodies.join("\n"),
    spans: (): ReceivedSpan[] =>
      bodies
        .filter((body) => body.startsWith("{"))
        .flatMap((body) => JSON.parse(body).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The value of a span's attribute. */
export function attributeOf({ attributes }: ReceivedSpan, name: string): string | number | undefined {
  const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {};
  return stringValue ?? intValue;
}
