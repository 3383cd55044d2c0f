import { type ReactNode, useId } from "react";

const words = {
  optional: "optional",
} as const;

/** What every control in a form may say. */
export interface Labelled {
  label: string;
  help?: string | undefined;
  /** Why the value cannot be sent. */
  fault?: string | undefined;
  optional?: boolean | undefined;
  /** The layout of the whole field. */
  className?: string | undefined;
}

interface Props extends Labelled {
  /** The control, with the id and the texts that belong to it. */
  children(control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": boolean;
  }): ReactNode;
}

/** The box of a control in a form. */
export const boxClass =
  "h-9 w-full min-w-0 rounded border border-line-strong bg-surface px-3 text-14 aria-invalid:border-bad";

/** A control with its label, its help, and why its value cannot be sent. */
export function Field({ label, help, fault, optional, className, children }: Props) {
  const id = useId();
  const described = [help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-13 text-muted">
        {label}
        {optional && <span className="text-faint"> · {words.optional}</span>}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": fault !== undefined })}
      {help && (
        <p id={`${id}-help`} className="mt-1 text-13 text-muted">
          {help}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="mt-1 text-13 font-medium text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
