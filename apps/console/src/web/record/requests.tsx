import type { ShownRecord } from "../api/shapes.ts";
import { useNow } from "../lib/use-now.ts";
import { type Meaning, reasonWords } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { Card, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  title: "Documents that the provider asks for",
  state: {
    open: "Waits for the platform",
    overdue: "Overdue",
    noFile: "No file answers it",
    unsent: "Not sent yet",
    sent: "Sent",
    closed: "Closed",
  },
  times: { requestedAt: "asked", dueAt: "due", answeredAt: "answered", sentAt: "sent" },
} as const;

type Request = ShownRecord["requests"][number];

/** What the provider asks for beyond the submission, with what became of it. */
export function Requests({ requests }: Pick<ShownRecord, "requests">) {
  const now = useNow();
  if (requests.length === 0) return null;
  return (
    <Section title={words.title}>
      <Card>
        <ul>
          {requests.map((request) => (
            <li key={request.documentRequestId} className="border-t border-line px-4 py-2 first:border-t-0">
              <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <span className="font-medium">{shared.record.document(request.documentType)}</span>
                <StateMark {...stateOf(request, now)} />
              </p>
              {request.reason && (
                <p className="text-muted first-letter:uppercase">{reasonWords(request.reason.code)}</p>
              )}
              <p className="flex flex-wrap gap-x-4 text-13 text-muted">
                {times.map((name) => {
                  const at = request[name];
                  return (
                    at !== null && (
                      <span key={name}>
                        {words.times[name]} <Time at={at} />
                      </span>
                    )
                  );
                })}
              </p>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

const times = Object.keys(words.times) as (keyof typeof words.times)[];

function stateOf(
  { status, accepts, dueAt, sentAt }: Request,
  now: number,
): { meaning: Meaning; word: string } {
  const { state } = words;
  if (status === "closed") return { meaning: "plain", word: state.closed };
  if (status === "answered")
    return sentAt === null
      ? { meaning: "waiting", word: state.unsent }
      : { meaning: "good", word: state.sent };
  if (accepts.length === 0) return { meaning: "attention", word: state.noFile };
  const isOverdue = dueAt !== null && Date.parse(dueAt) < now;
  return isOverdue ? { meaning: "attention", word: state.overdue } : { meaning: "waiting", word: state.open };
}
