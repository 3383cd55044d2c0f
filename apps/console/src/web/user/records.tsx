import { Link } from "@tanstack/react-router";
import type { UserFacts } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { stateOf } from "../lib/why.ts";
import { Card, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Bar, Empty } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";

const { users: say } = words;

/** A user's verifications, newest first. */
export function Records({ records }: { records: UserFacts["records"] | undefined }) {
  return (
    <Section title={say.records}>
      <Card>
        {!records ? (
          <div className="p-4">
            <Bar className="h-9 w-full" />
          </div>
        ) : records.length === 0 ? (
          <Empty title={say.recordsEmpty} text={say.recordsEmptyText} />
        ) : (
          <ul>
            {records.map((record) => (
              <li
                key={record.kycRecordId}
                className="relative grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 sm:grid-cols-[144px_minmax(0,1fr)_auto] sm:py-1 first:border-t-0 hover:bg-sunken"
              >
                <span>
                  <StateMark {...stateOf(record)} />
                </span>
                <Link
                  to="/records/$kycRecordId"
                  params={{ kycRecordId: record.kycRecordId }}
                  title={record.kycRecordId}
                  className="mono truncate rounded text-accent max-sm:order-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                >
                  {shortId(record.kycRecordId)}
                </Link>
                <span className="text-13 text-muted">
                  <Time at={record.createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  );
}
