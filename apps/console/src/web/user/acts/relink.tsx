import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { FormField, inputClass } from "../../ui/form-field.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { words } from "../../words.ts";
import { type ActProps, ActRow } from "./act-row.tsx";
import { Proposed } from "./proposed.tsx";
import { useAct } from "./use-act.ts";

const { userActs: say } = words;
const empty = { email: "", memberId: "", note: "" };

/** Proposes another e-mail, another member id, or both. */
export function RelinkUser({ user, platform }: ActProps) {
  const { platformId, externalUserId, version } = user;
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
    <FormField label={label} help={say.keep}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode={name === "email" ? "email" : "text"}
          value={names[name]}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={128}
          onChange={(event) => setNames({ ...names, [name]: event.target.value })}
          className={inputClass}
        />
      )}
    </FormField>
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
        happens={say.relinkHappens(shortId(externalUserId), platform)}
        act={say.relinkAct}
        running={words.decision.storing}
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
