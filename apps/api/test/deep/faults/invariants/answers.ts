import type { Cluster } from "../cluster/cluster.ts";
import { countBy, type Facts } from "./facts.ts";

/** I2 and I3 for answers to document requests: the provider has each accepted answer, and none twice. */
export function wrongAnswers({ answers }: Cluster, { ledger }: Facts): string[] {
  const effects = ledger.executions
    .flatMap(({ requests }) => requests)
    .flatMap(({ requestId, answers }) => answers.map((answer) => ({ requestId, ...answer })))
    .filter(({ outcome }) => outcome === "accepted" || outcome === "timeout-after-effect");
  const isThere = (fileUrl: string) => effects.some(({ documents }) => documents[0]?.fileUrl === fileUrl);
  return [
    ...[...countBy(effects, ({ requestId }) => requestId)]
      .filter(([, count]) => count > 1)
      .map(([id, count]) => `I2: ${id} has ${count} answers`),
    ...answers
      .filter(({ status, fileUrl }) => status === 200 && !isThere(fileUrl))
      .map(({ documentRequestId }) => `I3: the provider has no answer to ${documentRequestId}`),
  ];
}
