import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type ActProps, ActRow } from "./act-row.tsx";
import { useAct } from "./use-act.ts";

const words = {
  hold: "Legal hold",
  holdText: "While a hold is active, nothing of this user is erased or deleted.",
  holdOpen: "Place…",
  holdTitle: "Place a legal hold?",
  holdHappens: (id: string, platform: string) =>
    `Nothing of ${id} of ${platform} is erased or deleted until the hold ends.`,
  liftNeedsTwo: "Lifting it needs two people.",
  reference: "Case",
  referenceHelp: "The number of the case, such as HKMA-2027/118. It is not encrypted: no names, no spaces.",
  referenceWrong:
    "Up to 100 letters, digits and . _ / : # - without spaces, beginning with a letter or digit.",
  until: "Ends on",
  untilHelp: "Empty: only a lift ends it.",
  holdAct: "Place the hold",
  holdPlaced: "The hold is placed.",
} as const;

/** The form of a case's number, as the service takes it. */
const reference = /^[A-Za-z0-9][A-Za-z0-9._/:#-]{0,99}$/;

/** Places a legal hold on a user. */
export function PlaceHold({ user: { platformId, externalUserId }, platform }: ActProps) {
  const fourEyes = useFourEyes();
  const [hold, setHold] = useState({ reference: "", until: "" });
  const act = useAct(({ reference, until }: typeof hold) =>
    client.holds.place.mutate({
      platformId,
      externalUserId,
      reference,
      // To the end of the day that the person chose, where they are.
      ...(until !== "" && { until: new Date(`${until}T23:59:59`).toISOString() }),
    }),
  );
  const start = () => {
    setHold({ reference: "", until: "" });
    act.start();
  };
  const isCase = reference.test(hold.reference);
  return (
    <ActRow
      name={words.hold}
      text={words.holdText}
      button={<Button onClick={start}>{words.holdOpen}</Button>}
    >
      {act.data && <Notice meaning="good">{words.holdPlaced}</Notice>}
      <ActDialog
        {...act.dialog}
        title={words.holdTitle}
        happens={`${words.holdHappens(shortId(externalUserId), platform)}${fourEyes ? ` ${words.liftNeedsTwo}` : ""}`}
        act={words.holdAct}
        ready={isCase}
        onAct={() => act.run(hold)}
      >
        <TextField
          mono
          label={words.reference}
          help={words.referenceHelp}
          fault={hold.reference !== "" && !isCase ? words.referenceWrong : undefined}
          value={hold.reference}
          onChange={(value) => setHold({ ...hold, reference: value.trim() })}
        />
        <TextField
          className="max-w-48"
          type="date"
          label={words.until}
          help={words.untilHelp}
          optional
          value={hold.until}
          onChange={(until) => setHold({ ...hold, until })}
        />
      </ActDialog>
    </ActRow>
  );
}
