import type { Opened } from "../../api/shapes.ts";
import { Copy } from "../../ui/copy.tsx";
import { words } from "../../words.ts";

const { evidence: say } = words;
type Submission = NonNullable<Opened["submission"]>;

/** The submitted details, each with its copy. */
export function Details({ submission }: { submission: Submission }) {
  return (
    <div className="min-w-0 border-line max-wide:border-t wide:border-l">
      <h3 className="px-4 pt-3 pb-1 text-13 font-semibold">{say.details}</h3>
      <dl className="pb-2 sm:max-wide:columns-2 sm:max-wide:gap-0">
        {detailsOf(submission).map(([name, value]) => (
          <div
            key={name}
            className="grid min-h-8 break-inside-avoid grid-cols-[124px_minmax(0,1fr)_24px] items-start gap-x-2 px-4 py-1"
          >
            <dt className="pt-px text-13 text-muted">{name}</dt>
            <dd className="break-words whitespace-pre-line">{value}</dd>
            <dd>
              <Copy value={value} label={say.copy(name)} className="-my-0.5" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** What a reviewer compares with the document comes first. */
function detailsOf(of: Submission): [name: string, value: string][] {
  const { fields } = say;
  return [
    [fields.name, of.name],
    [fields.birthday, of.birthday],
    [fields.gender, say.genderOf[of.gender]],
    [fields.nationality, of.nationality],
    [fields.documentType, say.documentOf[of.documentType]],
    [fields.documentNumber, of.documentNumber],
    [fields.documentCountry, of.documentCountry],
    [fields.documentExpiryDate, of.documentExpiryDate ?? say.never],
    [fields.contactAddress, of.contactAddress],
    [fields.email, of.email],
    [fields.phone, `${of.phoneCountryCode} ${of.phoneNumber}`],
    [fields.occupation, of.occupation],
    [fields.position, of.position],
    [fields.annualIncome, of.annualIncome],
    [fields.memberId, of.memberId],
  ];
}
