import { useEffect, useState } from "react";
import type { Opened } from "../../api/shapes.ts";
import { useMe } from "../../lib/use-me.ts";
import { shared } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Copy } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Card, Section } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { ClosedEvidence } from "./closed.tsx";
import { Compare } from "./compare.tsx";
import type { OpenEvidence, Evidence as State } from "./use-evidence.ts";

const words = {
  title: "Evidence",
  mayNot: "Only compliance opens what the person submitted.",
  opened: (purpose: string) => `Opened for ${purpose}`,
  audit: (id: string) => `audit ${id}`,
  closesIn: "closes in",
  close: "Close evidence",
  erased: "Nothing is left to show",
  erasedText: "The user was erased, and what the person submitted with them.",
  details: "Details",
  // In the order of the page: what a reviewer compares with the document comes first.
  fields: {
    name: "Name",
    birthday: "Birthday",
    gender: "Gender",
    nationality: "Nationality",
    documentType: "Document",
    documentNumber: "Document number",
    documentCountry: "Document country",
    documentExpiryDate: "Document expires",
    contactAddress: "Address",
    email: "E-mail",
    phoneNumber: "Telephone",
    occupation: "Occupation",
    position: "Position",
    annualIncome: "Annual income",
    memberId: "Member id",
  },
  never: "never",
  documentOf: { passport: "passport", id_card: "identity card", driver_license: "driving licence" },
  genderOf: { male: "male", female: "female" },
} as const;

/** What the person submitted: closed until somebody gives a purpose. */
export function Evidence({ evidence }: { evidence: State }) {
  const { may } = useMe();
  const { opened, close } = evidence;
  return (
    <Section title={words.title}>
      {opened ? (
        <OpenedEvidence opened={opened} close={close} />
      ) : (
        <Card>
          {may("ops.evidence") ? (
            <ClosedEvidence {...evidence} />
          ) : (
            <p className="flex items-center gap-2 px-4 py-3 text-muted">
              <Icon name="lock" /> {words.mayNot}
            </p>
          )}
        </Card>
      )}
    </Section>
  );
}

interface Props {
  opened: OpenEvidence;
  close(cause?: "shut"): void;
}

/** The open evidence: why and until when, two pictures side by side, and the details beside them. */
function OpenedEvidence({ opened, close }: Props) {
  const { purpose, auditId, closesAt, submission } = opened;
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-attention-line bg-attention-tint px-4 py-1.5">
        <p role="status" className="min-w-0 text-attention">
          <span className="font-medium">{words.opened(shared.purpose.short[purpose])}</span> ·{" "}
          {words.audit(auditId)} · {words.closesIn} <Countdown until={closesAt} />
        </p>
        <Button className="ml-auto h-8" onClick={() => close()}>
          {words.close}
        </Button>
      </div>
      {submission ? (
        <div className="grid wide:grid-cols-[minmax(0,1fr)_372px]">
          <Compare opened={opened} onShut={() => close("shut")} />
          <Details submission={submission} />
        </div>
      ) : (
        <Empty title={words.erased} text={words.erasedText} />
      )}
    </Card>
  );
}

/** The minutes and seconds until a time of this computer's clock. */
function Countdown({ until }: { until: number }) {
  const [left, setLeft] = useState(() => until - Date.now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(until - Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, Math.ceil(left / 1_000));
  return (
    <span role="timer" aria-live="off" className="font-medium tabular-nums">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
    </span>
  );
}

type Submission = NonNullable<Opened["submission"]>;

/** The submitted details, each with its copy. */
function Details({ submission }: { submission: Submission }) {
  return (
    <div className="min-w-0 border-line max-wide:border-t wide:border-l">
      <h3 className="px-4 pt-3 pb-1 text-13 font-semibold">{words.details}</h3>
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
const labels: Readonly<Record<Detail, string>> = words.fields;

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
