import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { shared } from "../../lib/words.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { type ActProps, ActRow } from "./act-row.tsx";
import { useAct } from "./use-act.ts";

const words = {
  relink: "Change identifiers",
  relinkText: "Correct the e-mail, the member id, or both.",
  relinkOpen: "Change…",
  relinkTitle: "Change the identifiers?",
  relinkHappens: (id: string, platform: string) =>
    `This proposes new identifiers for ${id} of ${platform}. Another person confirms it within 24 hours. Cards and verifications stay.`,
  newEmail: "New e-mail",
  newMemberId: "New member id",
  keep: "Empty: it stays as it is.",
  relinkAct: "Propose the change",
  relinkAlone: "Change the identifiers",
  relinked: "The change is proposed.",
  changed: "The identifiers are changed.",
} as const;

const empty = { email: "", memberId: "", note: "" };

/** Changes the e-mail, the member id, or both, after another person confirmed it if there is one. */
export function RelinkUser({ user, platform }: ActProps) {
  const { platformId, externalUserId, version } = user;
  const fourEyes = useFourEyes();
  const [names, setNames] = useState(empty);
  const act = useAct(({ email, memberId, note }: typeof empty) =>
    client.users.relink.mutate({
      platformId,
      externalUserId,
      version,
      ...(email.trim() !== "" && { email: email.trim() }),
      // A member id is compared exactly.
      ...(memberId !== "" && { memberId }),
      ...(note.trim() !== "" && { note: note.trim() }),
    }),
  );
  const start = () => {
    setNames(empty);
    act.start();
  };
  const field = (name: "email" | "memberId", label: string) => (
    <TextField
      label={label}
      help={words.keep}
      inputMode={name === "email" ? "email" : "text"}
      autoCapitalize="off"
      maxLength={128}
      value={names[name]}
      onChange={(value) => setNames({ ...names, [name]: value })}
    />
  );
  return (
    <ActRow
      name={words.relink}
      text={words.relinkText}
      button={<Button onClick={start}>{words.relinkOpen}</Button>}
    >
      {act.data && <Proposed proposal={act.data.proposal} proposed={words.relinked} done={words.changed} />}
      <ActDialog
        {...act.dialog}
        title={words.relinkTitle}
        happens={(fourEyes ? words.relinkHappens : shared.proposals.happens.relink)(
          shortId(externalUserId),
          platform,
        )}
        act={fourEyes ? words.relinkAct : words.relinkAlone}
        ready={names.email.trim() !== "" || names.memberId !== ""}
        onAct={() => act.run(names)}
      >
        {field("email", words.newEmail)}
        {field("memberId", words.newMemberId)}
        <NoteField value={names.note} onChange={(note) => setNames({ ...names, note })} />
      </ActDialog>
    </ActRow>
  );
}
