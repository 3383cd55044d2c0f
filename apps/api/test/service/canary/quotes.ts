import { http } from "../../deep/faults/cluster/http-bytes.ts";
import type { QuotedCall } from "../../deep/faults/cluster/provider-proxy.ts";
import type { Marks } from "./marks.ts";

type Quote = (quote: string) => (call: QuotedCall) => ReturnType<typeof http>;

/** Responses of a provider that quote the submission. Only the first is the documented refusal. */
export function quotes(marks: Marks): Quote[] {
  const quoted = () => ({ "x-quote": marks.next(), "retry-after": marks.next() });
  return [
    (quote) => (call) => http(422, refusal(call, quote), quoted()),
    (quote) => (call) => http(422, refusal(call, quote).replace("kyc_refused", marks.next()), quoted()),
    (quote) => (call) => http(200, refusal(call, quote)),
    ...[200, 400, 401, 403, 404, 409, 429, 500, 503].map(
      (status) => (quote: string) => () => http(status, quote, quoted()),
    ),
    (quote) => () => http(200, `<html>${quote}`),
    (quote) => () => http(307, quote, { location: `https://${marks.next()}/` }),
    (quote) => () => http(200, quote, { "content-encoding": marks.next() }),
    (quote) => () => ({ bytes: `HTTP/1.1 ${quote}\r\n\r\n` }),
    (quote) => () => ({ bytes: quote }),
  ];
}

function refusal({ reference, body }: QuotedCall, quote: string): string {
  const { userReference } = JSON.parse(body || "{}");
  const reasons = [{ code: quote, field: quote, quote }, { code: "name_mismatch", field: quote }, quote];
  const error = { code: "kyc_refused", message: quote };
  return JSON.stringify({ reference, userReference, reasons, error, quote });
}
