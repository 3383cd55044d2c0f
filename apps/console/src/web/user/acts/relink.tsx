import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { words } from "../../words.ts";
import { type ActProps, ActRow } from "./act-row.tsx";
import { useAct } from "./use-act.ts";

const { userActs: say } = words;
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
      help={say.keep}
      inputMode={name === "email" ? "email" : "text"}
      autoCapitalize="off"
      maxLength={128}
      value={names[name]}
      onChange={(value) => setNames({ ...names, [name]: value })}
    />
  );
  return (
    <ActRow
      name={say.relink}
      text={say.relinkText}
      button={<Button onClick={start}>{say.relinkOpen}</Button>}
    >
      {act.data && <Proposed proposal={act.data.proposal} proposed={say.relinked} done={say.changed} />}
      <ActDialog
        {...act.dialog}
        title={say.relinkTitle}
        happens={(fourEyes ? say.relinkHappens : words.proposals.happens.relink)(
          shortId(externalUserId),
          platform,
        )}
        act={fourEyes ? say.relinkAct : say.relinkAlone}
        ready={names.email.trim() !== "" || names.memberId !== ""}
        onAct={() => act.run(names)}
      >
        {field("email", say.newEmail)}
        {field("memberId", say.newMemberId)}
        <NoteField value={names.note} onChange={(note) => setNames({ ...names, note })} />
      </ActDialog>
    </ActRow>
  );
}
