import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { exactTime } from "../lib/age.ts";
import { shared } from "../lib/words.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ChoiceField } from "../ui/form-fields.tsx";
import { type Days, Expiry, expiryOf } from "./expiry.tsx";
import type { ApiKey } from "./keys-table.tsx";
import { words } from "./words.ts";

const overlaps = ["0", "1", "24", "168", "720"] as const;

interface Props {
  apiKey: ApiKey;
  onClose(): void;
  /** The successor itself, and until when the old key works, in words. */
  onRotated(key: string, until: string): void;
}

/** Makes the successor of a key; both work for a while. */
export function RotateKey({ apiKey: { keyId, name, platformId }, onClose, onRotated }: Props) {
  const [hours, setHours] = useState<(typeof overlaps)[number]>("24");
  const [days, setDays] = useState<Days>("90");
  const internal = platformId === "internal";
  const mutation = useMutation({
    // The secret leaves the memory with its dialog.
    gcTime: 0,
    mutationFn: () =>
      client.keys.rotate.mutate({ keyId, overlapHours: Number(hours), expiresAt: expiryOf(days, internal) }),
    onSuccess: ({ key, predecessor }) =>
      onRotated(
        key,
        predecessor.expiresAt === null ? shared.apiKeys.never : exactTime(predecessor.expiresAt),
      ),
  });
  return (
    <ActDialog
      title={words.rotateTitle(name)}
      happens={words.rotateText}
      act={words.rotate}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      recent
      onClose={onClose}
    >
      <ChoiceField
        label={words.overlap}
        value={hours}
        options={overlaps.map((value) => ({ value, text: shared.apiKeys.overlapOf[value] }))}
        onChange={(next) => setHours(next as typeof hours)}
      />
      <Expiry value={days} internal={internal} onChange={setDays} />
    </ActDialog>
  );
}
