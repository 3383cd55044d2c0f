import type { AuditVerified, SealReference } from "@cardbridge/domain";
import { InvalidArgumentError, Option } from "commander";
import { runBatches } from "./batches.ts";
import type { NounDetails, Report } from "./details.ts";

/** More problems than this have one cause. */
const maxLines = 20;

const known = new Option(
  "--known <seal>",
  "a seal of an earlier report, as number:hash; it has to exist still",
);

export const audit: NounDetails<"audit"> = {
  list: { arguments: ["platformId"] },
  verify: {
    description:
      "Verifies all entries of a platform by their seals. The exit code is 1 if anything is wrong.",
    arguments: ["platformId"],
    omits: ["after"],
    options: [known.argParser(parseSeal)],
    async run(execute, { input, progress }) {
      const onProgress = ({ entries, seals }: AuditVerified) =>
        progress(`${entries} entries under ${seals} seals …`);
      const sum = await runBatches(execute, input, { add: addVerified, onProgress });
      return verdict(String(input.platformId), sum);
    },
  },
};

export const addVerified = (sum: AuditVerified, batch: AuditVerified): AuditVerified => ({
  ...batch,
  seals: sum.seals + batch.seals,
  entries: sum.entries + batch.entries,
  last: batch.last ?? sum.last,
  problems: [...sum.problems, ...batch.problems],
});

/** The command fails if the chain does not hold, or if there is nothing to verify. */
function verdict(platformId: string, sum: Omit<AuditVerified, "next">): Report {
  const document = { platformId, ...sum };
  const { seals, entries, unsealed, last, problems } = sum;
  const more = problems.length - maxLines;
  if (problems.length > 0) {
    const lines = [`The audit of ${platformId} does not hold.`, ...problems.slice(0, maxLines)];
    if (more > 0) lines.push(`And ${more} more.`);
    if (problems.length >= seals) lines.push("Check that FINGERPRINT_KEY is the service's.");
    return { document, problem: lines.join("\n") };
  }
  if (seals === 0 && unsealed === 0)
    return { document, problem: `The audit of ${platformId} is empty: check the platform's id.` };
  const holds = `The audit of ${platformId} holds: ${entries} entries under ${seals} seals. Not sealed yet: ${unsealed}.`;
  const seal = last && `Its last seal, to keep elsewhere and to give to --known: ${last.number}:${last.hash}`;
  return { document, text: seal ? `${holds}\n${seal}` : holds };
}

function parseSeal(text: string): SealReference {
  const [, number, hash] = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new InvalidArgumentError("Give number:hash, as verify and the log report it.");
}
