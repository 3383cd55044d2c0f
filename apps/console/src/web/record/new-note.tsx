import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { client } from "../api/client.ts";
import { useKeys } from "../lib/use-keys.ts";
import { useMe } from "../lib/use-me.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Check, TextArea } from "../ui/form-fields.tsx";

const words = {
  label: "Add a note",
  placeholder: "What you found, what you promised, who is asked",
  add: "Add note",
  adding: "Adding…",
  send: "Ctrl Enter",
  restricted: "Only compliance may read it",
  added: "The note is added.",
} as const;

/** A new note for colleagues. Its text stays until it is stored. */
export function NewNote({ kycRecordId, onAdded }: { kycRecordId: string; onAdded(): Promise<void> }) {
  const { may } = useMe();
  const [text, setText] = useState("");
  const [restricted, setRestricted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const focus = () => form.current?.querySelector("textarea")?.focus();
  useKeys({ n: focus });
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: () => client.records.addNote.mutate({ kycRecordId, text: text.trim(), restricted }),
    onSuccess: async () => {
      setText("");
      setRestricted(false);
      await onAdded();
    },
  });
  const isReady = text.trim() !== "" && !isPending;
  if (!may("ops.records.act")) return null;
  return (
    <form
      ref={form}
      className="mb-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) mutate();
      }}
    >
      <TextArea
        label={words.label}
        placeholder={words.placeholder}
        aria-keyshortcuts="n"
        value={text}
        onChange={setText}
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        {may("ops.compliance") && (
          <Check checked={restricted} onChange={setRestricted}>
            {words.restricted}
          </Check>
        )}
        <span role="status" className="ml-auto text-13 text-good">
          {isSuccess && text === "" && words.added}
        </span>
        <Button type="submit" disabled={!isReady} shortcut={text === "" ? "n" : words.send}>
          {isPending ? words.adding : words.add}
        </Button>
      </div>
      <ActError error={error} />
    </form>
  );
}
