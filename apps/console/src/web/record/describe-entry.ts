import { attemptWords, expiryOf, isSaid, type Meaning, stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import type { Decider } from "./decided-by.ts";
import type { TimelineEntry } from "./timeline.ts";
import { words } from "./words.ts";

const { timeline: say } = words;

interface Described {
  title: string;
  meaning: Meaning;
  detail?: string;
  /** Who decided manually. */
  people?: readonly Decider[];
  /** A value as it was received. */
  raw?: string;
  /** Nothing happened to the record. */
  isQuiet?: true;
}

/** One entry of the timeline in words. */
export function describeEntry(entry: TimelineEntry): Described {
  switch (entry.kind) {
    case "submitted":
      return { title: entry.renews === null ? say.submitted : say.submittedAgain, meaning: "plain" };
    case "expiry":
      return { title: say.expiry[entry.documentExpiry], meaning: expiryOf(entry.documentExpiry).meaning };
    case "renewal":
      return { title: say.renewal, meaning: "plain" };
    case "attempt": {
      const { step, outcome, count, number, lastNumber, milliseconds, by, reason } = entry.attempt;
      const times = count > 1 ? ` ${shared.units.times(count)}` : "";
      const took = shared.units.milliseconds(milliseconds);
      return {
        title: `${outcome === "unsent" ? say.notSent : step === "send" ? say.sent : say.asked}: ${attemptWords(entry.attempt)}${times}`,
        meaning: meaningOf(outcome),
        detail: [byWords(by), say.attemptNo(number, lastNumber), count > 1 ? say.took(took) : took].join(
          " · ",
        ),
        ...(reason !== null && !isSaid(reason) && { raw: reason }),
      };
    }
    case "change": {
      const { word, meaning } = stateOf({ ...entry.change, needsAttentionSince: null });
      const { source, subStatus } = entry.change;
      return {
        title: word,
        meaning,
        detail: sourceWords(source),
        people: entry.deciders,
        ...(subStatus !== null && { raw: subStatus }),
      };
    }
    case "request": {
      const { documentType, status, source } = entry.request;
      const title = say.request[status](shared.record.document(documentType));
      const isOurs = status === "answered" && source === "submission";
      return {
        title,
        meaning: requestMeanings[status],
        detail: isOurs ? say.answeredBy : sourceWords(source),
      };
    }
    case "delivery": {
      const { status, attempts } = entry.delivery;
      const title = (say.delivery as Record<string, string>)[status] ?? status;
      const meaning = status === "delivered" ? "good" : status === "failed" ? "bad" : "waiting";
      return { title, meaning, detail: say.tries(attempts) };
    }
    case "note": {
      const { by, text, restricted } = entry.note;
      const mark = restricted ? ` · ${words.notes.restrictedMark}` : "";
      return {
        title: `${say.note}: ${by?.name ?? words.notes.unknownAuthor}${mark}`,
        meaning: "plain",
        detail: text,
      };
    }
    case "assignment": {
      const { assignee } = entry;
      const title = assignee ? say.assigned(assignee.name ?? shared.person.unnamed) : say.released;
      return { title, meaning: "plain" };
    }
    case "view": {
      const { by, actor } = entry.view;
      const title = say.viewed(by ? (by.name ?? shared.person.unnamed) : callerWords(actor));
      return { title, meaning: "plain", isQuiet: true };
    }
  }
}

const requestMeanings = { open: "waiting", answered: "good", closed: "plain" } as const;

const sourceWords = (source: string): string => (say.change as Record<string, string>)[source] ?? source;

/** Who made an attempt: a name, the worker, or the submission. */
const byWords = (by: string): string => (say.by as Record<string, string>)[by] ?? by;

/** A caller without a person. Nobody verifies a name of the command line. */
const callerWords = (actor: string): string =>
  actor.startsWith("claim:") ? say.commandLine(actor.slice("claim:".length)) : actor;

function meaningOf(outcome: string): Meaning {
  if (outcome === "answered") return "good";
  if (outcome === "refused") return "bad";
  return outcome === "not-found" ? "waiting" : "attention";
}
