import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { Notice } from "../../ui/notice.tsx";
import { words } from "../../words.ts";
import { type ActProps, ActRow } from "./act-row.tsx";
import { useAct } from "./use-act.ts";

const { userActs: say } = words;
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
    <ActRow name={say.hold} text={say.holdText} button={<Button onClick={start}>{say.holdOpen}</Button>}>
      {act.data && <Notice meaning="good">{say.holdPlaced}</Notice>}
      <ActDialog
        {...act.dialog}
        title={say.holdTitle}
        happens={`${say.holdHappens(shortId(externalUserId), platform)}${fourEyes ? ` ${say.liftNeedsTwo}` : ""}`}
        act={say.holdAct}
        ready={isCase}
        onAct={() => act.run(hold)}
      >
        <TextField
          mono
          label={say.reference}
          help={say.referenceHelp}
          fault={hold.reference !== "" && !isCase ? say.referenceWrong : undefined}
          value={hold.reference}
          onChange={(value) => setHold({ ...hold, reference: value.trim() })}
        />
        <TextField
          className="max-w-48"
          type="date"
          label={say.until}
          help={say.untilHelp}
          optional
          value={hold.until}
          onChange={(until) => setHold({ ...hold, until })}
        />
      </ActDialog>
    </ActRow>
  );
}
