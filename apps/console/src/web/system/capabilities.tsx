import { Card, Section } from "../ui/section.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { words } from "../words.ts";
import type { Status } from "./service-facts.tsx";

const { system: say } = words;

type Shown = Status["provider"]["capabilities"];

const columns: Column<Shown["fields"][number]>[] = [
  { name: say.fieldColumns.field, cell: ({ field }) => <span className="mono">{field}</span> },
  { name: say.fieldColumns.limits, wide: true, cell: ({ limits }) => <span>{limits}</span> },
];

/** What of a submission reaches the provider. Only the fields that it does not support in full are listed. */
export function Capabilities({ capabilities: { files, fields } }: { capabilities: Shown }) {
  return (
    <Section title={say.capabilities}>
      <Card>
        <p className="px-4 py-2 text-muted">
          {files} {fields.length === 0 && say.allFields}
        </p>
        {fields.length > 0 && (
          <div className="border-t border-line">
            <Table label={say.capabilities} columns={columns} rows={fields} keyOf={({ field }) => field} />
          </div>
        )}
      </Card>
    </Section>
  );
}
