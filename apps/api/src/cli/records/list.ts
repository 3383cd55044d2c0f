import type { KycJob } from "@cardbridge/domain";
import { lineWidth, type Report } from "../report.ts";
import { table } from "../table.ts";
import { age, next } from "./words.ts";

interface Asked {
  /** Whether there are more than these. */
  more: boolean;
  stuck: boolean;
  platform: string | undefined;
}

/** The records that wait, one a line. */
export function listReport(jobs: readonly KycJob[], { more, stuck, platform }: Asked): Report {
  const document = { records: jobs.map(({ readAt: _now, ...job }) => job), more };
  if (jobs.length === 0) {
    const whose = platform === undefined ? "" : ` of ${platform}`;
    return { document, text: `No record${whose} ${stuck ? "is stuck" : "waits"}.` };
  }
  const lines = table(
    jobs,
    [
      { title: "RECORD", value: ({ kycRecordId }) => kycRecordId },
      { title: "STATE", value: state },
      { title: "AGE", value: age },
      { title: "TRIES", value: ({ attempt }) => String(attempt), right: true },
      { title: "NEXT", value: next, optional: true },
      { title: "PLATFORM", value: ({ platformId }) => platformId },
    ],
    lineWidth(),
  );
  return { document, text: more ? `${lines}\n\nThere are more: raise --limit.` : lines };
}

function state({ heldAt, settlement }: KycJob): string {
  if (heldAt) return "held";
  return settlement === "answered" ? "in review" : settlement;
}
