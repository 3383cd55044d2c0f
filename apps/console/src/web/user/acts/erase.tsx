import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { FreshSignIn } from "../../ui/fresh-sign-in.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { words } from "../../words.ts";
import { type ActProps, ActRow } from "./act-row.tsx";
import { Proposed } from "./proposed.tsx";
import { useAct } from "./use-act.ts";

const { userActs: say } = words;

/** Proposes the erasure of a user, which nobody can take back once it is done. */
export function EraseUser({ user, platform, isFresh }: ActProps) {
  const { platformId, externalUserId, version, held } = user;
  const [note, setNote] = useState("");
  const act = useAct((text: string) =>
    client.users.erase.mutate({
      platformId,
      externalUserId,
      version,
      ...(text.trim() !== "" && { note: text.trim() }),
    }),
  );
  const start = () => {
    setNote("");
    act.start();
  };
  return (
    <ActRow
      name={say.erase}
      text={say.eraseText}
      danger
      button={
        <Button kind="toDanger" onClick={start}>
          {say.eraseOpen}
        </Button>
      }
    >
      {act.data && (
        <Proposed proposal={act.data.proposal} proposed={say.erasedProposed} done={say.erasedRequested} />
      )}
      <ActDialog
        {...act.dialog}
        title={say.eraseTitle}
        happens={say.eraseHappens(shortId(externalUserId), platform)}
        act={say.eraseAct}
        word={say.eraseWord}
        running={words.decision.storing}
        ready={isFresh}
        danger
        onAct={() => act.run(note)}
      >
        {!isFresh && <FreshSignIn />}
        {held && <Notice meaning="attention">{say.eraseHeld}</Notice>}
        <NoteField value={note} onChange={setNote} />
      </ActDialog>
    </ActRow>
  );
}
