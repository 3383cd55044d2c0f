import { useState } from "react";
import { shared } from "../lib/words.ts";
import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";
import { Check } from "./form-fields.tsx";
import { Notice } from "./notice.tsx";

const words = {
  warning: "You see this once. Store it now where secrets are kept; nobody can show it again.",
  copy: "Copy the secret",
  stored: "I have stored it",
} as const;

interface Props {
  title: string;
  /** The secret itself. It is kept nowhere else. */
  secret: string;
  /** What happens with the former one. */
  text?: string;
  onClose(): void;
}

/** A secret that is shown once. It closes when the person says that it is stored. */
export function SecretDialog({ title, secret, text, onClose }: Props) {
  const [stored, setStored] = useState(false);
  return (
    <Dialog open onOpenChange={(open) => !open && stored && onClose()} title={title}>
      <div className="flex flex-col gap-4">
        <Notice meaning="attention">{words.warning}</Notice>
        <div className="flex items-center gap-2 rounded border border-line bg-sunken p-3">
          <code className="mono min-w-0 flex-1 break-all">{secret}</code>
          <Copy value={secret} label={words.copy} text={shared.copy.text} />
        </div>
        {text && <p className="text-muted">{text}</p>}
        <Check checked={stored} onChange={setStored}>
          {words.stored}
        </Check>
        <div className="flex justify-end">
          <Button kind="primary" disabled={!stored} onClick={onClose}>
            {shared.close}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
