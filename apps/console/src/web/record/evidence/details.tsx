import type { Opened } from "../../api/shapes.ts";
import { shared } from "../../lib/words.ts";
import { Copy } from "../../ui/copy.tsx";

const words = {
  title: "Details",
  never: "never",
  documentOf: { passport: "passport", id_card: "identity card", driver_license: "driving licence" },
  genderOf: { male: "male", female: "female" },
} as const;

type Submission = NonNullable<Opened["submission"]>;

/** The submitted details, each with its copy. */
export function Details({ submission }: { submission: Submission }) {
  return (
    <div className="min-w-0 border-line max-wide:border-t wide:border-l">
      <h3 className="px-4 pt-3 pb-1 text-13 font-semibold">{words.title}</h3>
      <dl className="pb-2 sm:max-wide:columns-2 sm:max-wide:gap-0">
        {detailsOf(submission).map(([name, value]) => (
          <div
            key={name}
            className="grid min-h-8 break-inside-avoid grid-cols-[124px_minmax(0,1fr)_24px] items-start gap-x-2 px-4 py-1"
          >
            <dt className="pt-px text-13 text-muted">{name}</dt>
            <dd className="break-words whitespace-pre-line">{value}</dd>
            <dd>
              <Copy value={value} label={shared.evidence.copy(name)} className="-my-0.5" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The fields with a label of their own. The calling code is shown with the number, and a permanent document as its date. */
type Detail = Exclude<keyof Submission, "phoneCountryCode" | "documentPermanentlyValid">;

/** The labels in the order of the page. A field of the submission without a label does not compile. */
const labels: Readonly<Record<Detail, string>> = shared.evidence.fields;

/** The details that are not shown as they were submitted. */
const shownAs: { readonly [detail in Detail]?: (of: Submission) => string } = {
  gender: (of) => words.genderOf[of.gender],
  documentType: (of) => words.documentOf[of.documentType],
  documentExpiryDate: (of) => of.documentExpiryDate ?? words.never,
  phoneNumber: (of) => `${of.phoneCountryCode} ${of.phoneNumber}`,
};

/** The labels and values of the details. A detail that was not submitted is not shown. */
function detailsOf(of: Submission): [name: string, value: string][] {
  return (Object.keys(labels) as Detail[]).flatMap((detail) => {
    const value = shownAs[detail]?.(of) ?? of[detail];
    return value === undefined ? [] : [[labels[detail], value]];
  });
}
