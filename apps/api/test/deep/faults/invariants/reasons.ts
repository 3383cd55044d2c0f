import type { Cluster } from "../cluster/cluster.ts";
import type { ProviderReasons } from "../cluster/provider-ledger.ts";
import type { Facts } from "./facts.ts";

/** A provider code for compliance only, which an episode uses. */
const restrictedCode = "watch_list_match";

/** I3: a refusal or a rejection has the provider's reasons, in the database and in the replies of clients. */
export function wrongReasons({ replies }: Cluster, { records, ledger }: Facts): string[] {
  const declined = [...ledger.refusals, ...ledger.executions.filter(({ status }) => status === "rejected")];
  const expected = new Map(declined.map((one) => [one.reference, describe(one)]));
  const stored = records
    .filter(({ resolution, status }) => resolution === "refused" || status === "REJECTED")
    .map(({ id, explanation }) => ({ id, codes: explanation?.reasons.map(({ code }) => code) ?? [] }));
  const told = replies
    .filter(({ body }) => body.code === "KYC_REFUSED")
    .map(({ body }) => ({ id: body.kycRecordId ?? "", codes: body.errors?.map(({ rule }) => rule) ?? [] }));
  return [...stored, ...told].flatMap(({ id, codes }) => {
    const reasons = expected.get(id);
    if (reasons === undefined || reasons === codes.join(", ")) return [];
    return [`I3: ${id} has the reasons ${codes.join(", ")}, the provider gave ${reasons}`];
  });
}

/** The codes as the service reports them: in capitals, each once, without the restricted code. */
function describe({ reasons = [] }: ProviderReasons): string {
  const shown = reasons.filter(({ code }) => code !== restrictedCode);
  return [...new Set(shown.map(({ code }) => code.toUpperCase()))].join(", ");
}
