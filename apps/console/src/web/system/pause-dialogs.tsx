import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { type Pause, useReadPausesAgain } from "../lib/use-pauses.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ChoiceField, TextField } from "../ui/form-fields.tsx";

const words = {
  provider: "the provider",
  pauseTitle: (target: string) => `Pause ${target}`,
  ofProvider: {
    happens:
      "Within a second, no process calls the provider. Submissions are stored and sent later. Card lists are refused, for every platform.",
    hint: "For colleagues. No personal data.",
  },
  ofPlatform: {
    happens:
      "Within a second, all calls of the platform’s keys are refused. Its callers read the reason. Stored submissions are sent.",
    hint: "Colleagues and the platform’s callers read it. No personal data.",
  },
  pause: "Pause",
  word: "PAUSE",
  reason: "Why",
  until: "It ends by itself",
  untilOf: {
    15: "in 15 minutes",
    60: "in an hour",
    240: "in 4 hours",
    1440: "in a day",
    10080: "in 7 days",
  },
  resumeTitle: (target: string) => `Resume ${target}`,
  resumeText: "Calls run again within a second. Workers send what was stored at their usual rate.",
  resume: "Resume",
} as const;

const minutes = ["15", "60", "240", "1440", "10080"] as const;

interface PauseProps {
  /** Absent for the provider. */
  platform?: { platformId: string; name: string };
  onClose(): void;
}

/** Pauses the provider or a platform, with a reason and an end, after a typed word. */
export function PauseDialog({ platform, onClose }: PauseProps) {
  const say = platform ? words.ofPlatform : words.ofProvider;
  const [reason, setReason] = useState("");
  const [length, setLength] = useState<(typeof minutes)[number]>("60");
  const readAgain = useReadPausesAgain();
  const mutation = useMutation({
    mutationFn: () => {
      const until = new Date(Date.now() + Number(length) * 60_000).toISOString();
      const input = { reason: reason.trim(), until };
      return platform
        ? client.pauses.pausePlatform.mutate({ platformId: platform.platformId, ...input })
        : client.pauses.pauseProvider.mutate(input);
    },
    onSuccess: () => {
      void readAgain();
      onClose();
    },
  });
  return (
    <ActDialog
      title={words.pauseTitle(platform?.name ?? words.provider)}
      happens={say.happens}
      act={words.pause}
      word={words.word}
      ready={reason.trim() !== ""}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      recent
      onClose={onClose}
    >
      <TextField label={words.reason} help={say.hint} value={reason} maxLength={256} onChange={setReason} />
      <ChoiceField
        label={words.until}
        value={length}
        options={minutes.map((value) => ({ value, text: words.untilOf[value] }))}
        onChange={(next) => setLength(next as typeof length)}
      />
    </ActDialog>
  );
}

/** What is paused, in words. */
export const targetOf = ({ target, platformName, platformId }: Pause): string =>
  target === "provider" ? words.provider : (platformName ?? platformId ?? "");

/** Ends a pause. */
export function ResumeDialog({ pause, onClose }: { pause: Pause; onClose(): void }) {
  const readAgain = useReadPausesAgain();
  const mutation = useMutation({
    mutationFn: () => client.pauses.resume.mutate({ pauseId: pause.pauseId }),
    onSuccess: () => {
      void readAgain();
      onClose();
    },
  });
  return (
    <ActDialog
      title={words.resumeTitle(targetOf(pause))}
      happens={words.resumeText}
      act={words.resume}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
