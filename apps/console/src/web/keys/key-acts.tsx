import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { exactTime } from "../lib/age.ts";
import { shared } from "../lib/words.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ChoiceField } from "../ui/form-fields.tsx";
import { type Days, Expiry, expiryOf } from "./expiry.tsx";
import type { ApiKey } from "./keys-table.tsx";

const words = {
  rotate: "Rotate",
  rotateTitle: (name: string) => `Rotate ${name}`,
  rotateText:
    "A successor with the same name and scopes is made. Both keys work for the time that you choose. If the key leaked, end the old one at once.",
  overlap: "The old key works",
  rotated: (until: string) => `The old key works until ${until}.`,
  ended: "The old key no longer works.",
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke ${name}`,
  revokeText: (name: string, prefix: string, owner: string) =>
    `Every call of ${owner} with the key “${name}”, which begins with ${prefix}, is refused within a second. This cannot be taken back. “Rotate” makes a successor first.`,
} as const;

const overlaps = ["0", "1", "24", "168", "720"] as const;

interface RotateProps {
  apiKey: ApiKey;
  onClose(): void;
  /** The successor itself, and until when the old key works, in words. */
  onRotated(key: string, text: string): void;
}

/** Makes the successor of a key; both work for a while. */
export function RotateKey({ apiKey: { keyId, name, platformId }, onClose, onRotated }: RotateProps) {
  const [hours, setHours] = useState<(typeof overlaps)[number]>("24");
  const [days, setDays] = useState<Days>("90");
  const internal = platformId === "internal";
  const mutation = useMutation({
    // The secret leaves the memory with its dialog.
    gcTime: 0,
    mutationFn: () =>
      client.keys.rotate.mutate({ keyId, overlapHours: Number(hours), expiresAt: expiryOf(days, internal) }),
    onSuccess: ({ key, predecessor: { expiresAt } }) =>
      onRotated(key, hours === "0" || !expiresAt ? words.ended : words.rotated(exactTime(expiresAt))),
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

interface RevokeProps {
  apiKey: ApiKey;
  /** Whose key it is, by name. */
  owner: string;
  onClose(): void;
  onRevoked(): void;
}

/** Revokes a key for ever, after its name is typed. */
export function RevokeKey({ apiKey: { keyId, name, prefix }, owner, onClose, onRevoked }: RevokeProps) {
  const mutation = useMutation({
    mutationFn: () => client.keys.revoke.mutate({ keyId }),
    onSuccess: onRevoked,
  });
  return (
    <ActDialog
      title={words.revokeTitle(name)}
      happens={words.revokeText(name, prefix, owner)}
      act={words.revoke}
      word={name}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
