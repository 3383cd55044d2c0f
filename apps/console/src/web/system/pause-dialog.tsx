import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ChoiceField, TextField } from "../ui/form-fields.tsx";
import { words } from "../words.ts";

const { system: say } = words;
const minutes = ["15", "60", "240", "1440", "10080"] as const;

interface Props {
  target: "provider" | "platform";
  onClose(): void;
  onDone(): void;
}

/** Pauses the provider or a platform, with a reason and an end, after a typed word. */
export function PauseDialog({ target, onClose, onDone }: Props) {
  const { me } = useMe();
  const [platformId, setPlatformId] = useState(me?.platforms[0]?.platformId ?? "");
  const [reason, setReason] = useState("");
  const [length, setLength] = useState<(typeof minutes)[number]>("60");
  const mutation = useMutation({
    mutationFn: () => {
      const until = new Date(Date.now() + Number(length) * 60_000).toISOString();
      const input = { reason: reason.trim(), until };
      return target === "provider"
        ? client.pauses.pauseProvider.mutate(input)
        : client.pauses.pausePlatform.mutate({ platformId, ...input });
    },
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ActDialog
      title={say.pauseTitle[target]}
      happens={say.pauseText[target]}
      act={say.pauseAct}
      word={say.pauseWord}
      ready={reason.trim() !== "" && (target === "provider" || platformId !== "")}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      recent
      onClose={onClose}
    >
      {target === "platform" && (
        <ChoiceField
          label={say.platform}
          value={platformId}
          options={me?.platforms.map((each) => ({ value: each.platformId, text: each.name })) ?? []}
          onChange={setPlatformId}
        />
      )}
      <TextField
        label={say.reason}
        help={say.reasonHint[target]}
        value={reason}
        maxLength={256}
        onChange={setReason}
      />
      <ChoiceField
        label={say.until}
        value={length}
        options={minutes.map((value) => ({ value, text: say.untilOf[value] }))}
        onChange={(next) => setLength(next as typeof length)}
      />
    </ActDialog>
  );
}
