import { Card, Section } from "../ui/section.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { words } from "../words.ts";
import type { Status } from "./service-facts.tsx";

const { system: say } = words;

interface Field {
  field: string;
  support: string;
  loss: string;
}

const columns: Column<Field>[] = [
  { name: say.fieldColumns.field, cell: ({ field }) => <span className="mono">{field}</span> },
  {
    name: say.fieldColumns.support,
    cell: ({ support }) =>
      Object.hasOwn(say.supportOf, support) ? say.supportOf[support as keyof typeof say.supportOf] : support,
  },
  { name: say.fieldColumns.loss, wide: true, cell: ({ loss }) => <span title={loss}>{loss}</span> },
];

/** What of a submission reaches the provider. Only the fields with a loss are listed. */
export function Capabilities({ capabilities }: { capabilities: Status["provider"]["capabilities"] }) {
  const fields = fieldsOf(capabilities);
  const whole = fields.filter(({ support }) => support === "carried").length;
  const lossy = fields.filter(({ support }) => support !== "carried");
  const files = capabilities.fileDelivery;
  if (fields.length === 0) return null;
  return (
    <Section
      title={say.capabilities}
      aside={
        (files === "url" || files === "bytes") && (
          <span className="text-13 text-muted">
            {say.files}: {say.filesOf[files]}
          </span>
        )
      }
    >
      <Card>
        <p className="px-4 py-2 text-muted">
          {lossy.length === 0 ? say.allFields : say.fields(whole, fields.length)}
        </p>
        {lossy.length > 0 && (
          <div className="border-t border-line">
            <Table label={say.capabilities} columns={columns} rows={lossy} keyOf={({ field }) => field} />
          </div>
        )}
      </Card>
    </Section>
  );
}

/** The fields as each provider's adapter declares them. */
function fieldsOf({ fields }: Record<string, unknown>): Field[] {
  if (typeof fields !== "object" || fields === null) return [];
  return Object.entries(fields).map(([field, declared]) => {
    const { support, loss } = Object(declared) as { support?: unknown; loss?: unknown };
    return { field, support: String(support ?? ""), loss: String(loss ?? "") };
  });
}
