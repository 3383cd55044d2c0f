import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { shared } from "../../lib/words.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Act, type ActProps } from "./act.tsx";

const words = {
  name: "Change identifiers",
  text: "Correct the e-mail, the member id, or both.",
  open: "Change…",
  title: "Change the identifiers?",
  happens: (id: string, platform: string) =>
    `This proposes new identifiers for ${id} of ${platform}. Another person confirms it within 24 hours. Cards and verifications stay.`,
  newEmail: "New e-mail",
  newMemberId: "New member id",
  keep: "Empty: it stays as it is.",
  act: "Propose the change",
  alone: "Change the identifiers",
  proposed: "The change is proposed.",
  changed: "The identifiers are changed.",
} as const;

const empty = { email: "", memberId: "", note: "" };

/** Changes the e-mail, the member id, or both, after another person confirmed it if there is one. */
export function RelinkUser({ user: { platformId, externalUserId, version }, platform }: ActProps) {
  const fourEyes = useFourEyes();
  const [names, setNames] = useState(empty);
  const [email, note] = [names.email.trim(), names.note.trim()];
  const change = () =>
    client.users.relink.mutate({
      ...{ platformId, externalUserId, version },
      ...(email !== "" && { email }),
      // A member id is compared exactly.
      ...(names.memberId !== "" && { memberId: names.memberId }),
      ...(note !== "" && { note }),
    });
  const happens = fourEyes ? words.happens : shared.proposals.happens.relink;
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
    <Act
      {...words}
      happens={happens(shortId(externalUserId), platform)}
      act={fourEyes ? words.act : words.alone}
      onStart={() => setNames(empty)}
      run={email !== "" || names.memberId !== "" ? change : undefined}
      result={({ proposal }) => (
        <Proposed proposal={proposal} proposed={words.proposed} done={words.changed} />
      )}
    >
      {field("email", words.newEmail)}
      {field("memberId", words.newMemberId)}
      <NoteField value={names.note} onChange={(note) => setNames({ ...names, note })} />
    </Act>
  );
}
