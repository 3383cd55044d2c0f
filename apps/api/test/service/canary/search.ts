import { expect, it } from "vitest";
import { errorMapping } from "../../../src/http/errors/mapping.ts";
import type { startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { until } from "../../support/until.ts";
import type { Canary } from "./canary.ts";
import { readColumns } from "./places.ts";

type Traces = Awaited<ReturnType<typeof startOtlpReceiver>>;

/** Searches the services' responses, databases, logs, metrics and traces for the marks. Ends the services. */
export function searchOutputs({ services, marks, words, client }: Canary, traces: () => Traces): void {
  const findAllIn = (text: string) => [...marks.findIn(text), ...words.findIn(text)];

  it("error bodies and response headers, and every error occurred", () => {
    const met = new Set<string>();
    for (const { what, status, headers, body } of client.answers) {
      expect([what, marks.findIn(headers)]).toEqual([what, []]);
      // A card shows the provider's name on it, and a record the platform's id of its user.
      const shown = status < 300 ? body.replace(/"(nameOnCard|memberId)":"[^"]*"/g, "") : body;
      expect([what, marks.findIn(shown)]).toEqual([what, []]);
      for (const [, code = ""] of body.matchAll(/"code":"([A-Z_]+)"/g)) met.add(code);
    }
    // Separate tests cover slow callers, quotas, full disks, providers that do not count, persons and pauses.
    const elsewhere = [
      ...["REQUEST_TIMEOUT", "FILE_QUOTA_EXCEEDED", "STORAGE_FULL", "CARD_LIST_TOO_LONG"],
      ...["PLATFORM_PAUSED", "PROVIDER_PAUSED", "PAUSE_CONFLICT"],
      ...["PERSON_REQUIRED", "PERSON_BLOCKED", "PERSON_NOT_FOUND", "SIGN_IN_TOO_OLD", "EVIDENCE_CLOSED"],
    ];
    const expected = Object.keys(errorMapping).filter((code) => !elsewhere.includes(code));
    const unmet = expected.filter((code) => !met.has(code));
    expect(unmet, "Provoke each of these errors in a test above, with marks in the request.").toEqual([]);
  });

  it("the metrics", async () => {
    const all = services().all();
    const text = (await Promise.all(all.map(({ metrics }) => metrics()))).join("\n");
    // Each metric has all its series from the start, so only a count shows that it was observed.
    for (const name of ["kyc_attempts", "provider_answers_unreadable", "provider_answers_mismatched"])
      expect(text).toMatch(new RegExp(`^cardbridge_${name}_total\\{[^}]*\\} [1-9]`, "m"));
    expect(findAllIn(text)).toEqual([]);
  });

  it("any column of the databases", async () => {
    const all = services().all();
    for (const query of new Set(all.map((service) => service.query))) {
      const columns = await readColumns({ query });
      expect(columns.get("platforms.id")).toContain("plt_");
      if (query === services().well.query) expect(columns.get("kyc_records.id")).toContain("kyc_");
      const found = [...columns].filter(([, text]) => marks.findIn(text).length > 0);
      expect(found.map(([column]) => column)).toEqual([]);
    }
  });

  it("the logs, to their end", async () => {
    await services().end();
    for (const service of services().all()) expect(findAllIn(service.output())).toEqual([]);
    expect(services().well.output()).toContain('"msg":"request"');
  });

  it("the traces", async () => {
    const expected = [
      "POST /openapi/v1/users/kyc",
      "kyc_create_for_new_user",
      "provider.submitKyc",
      "kyc.attempt",
    ];
    const names = () =>
      new Set(
        traces()
          .spans()
          .map(({ name }) => name),
      );
    await until(() => expected.every((name) => names().has(name)));
    expect(findAllIn(traces().text())).toEqual([]);
  });
}
