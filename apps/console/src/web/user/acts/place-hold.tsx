import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { TextField } from "../../ui/form-fields.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Act, type ActProps } from "./act.tsx";

const words = {
  name: "Legal hold",
  text: "While a hold is active, nothing of this user is erased or deleted.",
  open: "Place…",
  title: "Place a legal hold?",
  happens: (id: string, platform: string) =>
    `Nothing of ${id} of ${platform} is erased or deleted until the hold ends.`,
  liftNeedsTwo: "Lifting it needs two people.",
  reference: "Case",
  referenceHelp: "The number of the case, such as HKMA-2027/118. It is not encrypted: no names, no spaces.",
  referenceWrong:
    "Up to 100 letters, digits and . _ / : # - without spaces, beginning with a letter or digit.",
  until: "Ends on",
  untilHelp: "Empty: only a lift ends it.",
  act: "Place the hold",
  placed: "The hold is placed.",
} as const;

/** The form of a case's number, as the service takes it. */
const reference = /^[A-Za-z0-9][A-Za-z0-9._/:#-]{0,99}$/;

/** Places a legal hold on a user. */
export function PlaceHold({ user: { platformId, externalUserId }, platform }: ActProps) {
  const fourEyes = useFourEyes();
  const [hold, setHold] = useState({ reference: "", until: "" });
  const isCase = reference.test(hold.reference);
  const place = () =>
    client.holds.place.mutate({
      ...{ platformId, externalUserId, reference: hold.reference },
      // To the end of the day that the person chose, where they are.
      ...(hold.until !== "" && { until: new Date(`${hold.until}T23:59:59`).toISOString() }),
    });
  return (
    <Act
      {...words}
      happens={`${words.happens(shortId(externalUserId), platform)}${fourEyes ? ` ${words.liftNeedsTwo}` : ""}`}
      onStart={() => setHold({ reference: "", until: "" })}
      run={isCase ? place : undefined}
      result={() => <Notice meaning="good">{words.placed}</Notice>}
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
    </Act>
  );
}
