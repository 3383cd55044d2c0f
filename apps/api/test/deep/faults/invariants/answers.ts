import type { Cluster } from "../cluster/cluster.ts";
import { countBy, type Facts } from "./facts.ts";

/**
 * I2 for answers to document requests: a request has one effect at most, no answer is sent again after its effect, and one
 * without a usable response is sent again only after two look-ups.
 */
export function duplicatedAnswers({ services }: Cluster, { ledger }: Facts): string[] {
  const effects = effectsIn(ledger);
  const calls = services.flatMap(({ provider }) => provider.seen).sort((one, other) => one.at - other.at);
  const perRequest = countBy(effects, ({ requestId }) => requestId);
  const repeated = calls.flatMap(({ reference, answerReference, at }, index) => {
    if (answerReference === undefined) return [];
    const effect = effects.find((one) => one.answerReference === answerReference);
    if (effect && at > Date.parse(effect.at))
      return [`I2: ${answerReference} was sent again after its effect`];
    const before = calls.slice(0, index);
    const last = before.findLastIndex((call) => call.answerReference === answerReference);
    const asks = before
      .slice(last + 1)
      .filter((call) => call.method === "GET" && call.reference === reference);
    return last >= 0 && asks.length < 2
      ? [`I2: ${answerReference} was sent again after ${asks.length} look-ups`]
      : [];
  });
  return [
    ...[...perRequest]
      .filter(([, count]) => count > 1)
      .map(([id, count]) => `I2: ${id} has ${count} answers`),
    ...repeated,
  ];
}

/**
 * I3 for answers: each accepted answer is at the provider with its files, was refused by it, or its request was closed by
 * a decision of the provider's staff.
 */
export function lostAnswers({ answers }: Cluster, { ledger }: Facts): string[] {
  const received = ledger.executions.flatMap(({ reference, requests }) =>
    requests.flatMap((request) => request.answers.map((answer) => ({ reference, ...answer }))),
  );
  const decided = new Set(ledger.acts.map(({ reference }) => reference));
  return answers
    .filter(({ status, kycRecordId }) => status === 200 && !decided.has(kycRecordId))
    .filter(({ kycRecordId, documentRequestId, files }) => {
      const sent = received.filter(
        ({ reference, answerReference, outcome, documents }) =>
          reference === kycRecordId &&
          answerReference.startsWith(documentRequestId) &&
          outcome !== "timeout-before-effect" &&
          JSON.stringify(documents.map(({ fileUrl }) => fileUrl)) ===
            JSON.stringify(files.map(({ fileUrl }) => fileUrl)),
      );
      return sent.length !== 1;
    })
    .map(
      ({ documentRequestId }) =>
        `I3: the provider does not have an accepted answer to ${documentRequestId} once`,
    );
}

function effectsIn({ executions }: Facts["ledger"]) {
  return executions
    .flatMap(({ requests }) => requests)
    .flatMap(({ requestId, answers }) => answers.map((answer) => ({ requestId, ...answer })))
    .filter(({ outcome }) => outcome === "accepted" || outcome === "timeout-after-effect");
}
