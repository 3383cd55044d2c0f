import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ChoiceField, TextField } from "../ui/form-fields.tsx";

const words = {
  pauseTitle: { provider: "Pause the provider", platform: "Pause a platform" },
  pauseText: {
    provider:
      "Within a second, no process calls the provider. Submissions are stored and sent later. Card lists are refused, for every platform.",
    platform:
      "Within a second, all calls of the platform’s keys are refused. Its callers read the reason. Stored submissions are sent.",
  },
  pauseAct: "Pause",
  pauseWord: "PAUSE",
  platform: "Platform",
  reason: "Why",
  reasonHint: {
    provider: "For colleagues. No personal data.",
    platform: "Colleagues and the platform’s callers read it. No personal data.",
  },
  until: "It ends by itself",
  untilOf: {
    15: "in 15 minutes",
    60: "in an hour",
    240: "in 4 hours",
    1440: "in a day",
    10080: "in 7 days",
  },
} as const;

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
      title={words.pauseTitle[target]}
      happens={words.pauseText[target]}
      act={words.pauseAct}
      word={words.pauseWord}
      ready={reason.trim() !== "" && (target === "provider" || platformId !== "")}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      recent
      onClose={onClose}
    >
      {target === "platform" && (
        <ChoiceField
          label={words.platform}
          value={platformId}
          options={me?.platforms.map((each) => ({ value: each.platformId, text: each.name })) ?? []}
          onChange={setPlatformId}
        />
      )}
      <TextField
        label={words.reason}
        help={words.reasonHint[target]}
        value={reason}
        maxLength={256}
        onChange={setReason}
      />
      <ChoiceField
        label={words.until}
        value={length}
        options={minutes.map((value) => ({ value, text: words.untilOf[value] }))}
        onChange={(next) => setLength(next as typeof length)}
      />
    </ActDialog>
  );
}
