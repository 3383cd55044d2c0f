import { useId } from "react";
import { shared } from "../../lib/words.ts";
import { Check } from "../../ui/form-fields.tsx";
import { type Draft, maxReasons, type ReasonCode } from "./draft.ts";

const words = {
  reasons: "Reasons",
  reasonsHelp: "The platform and the person learn them. Choose 1 to 10.",
  final: "Final: another submission of this person will not help",
} as const;

const codes = Object.keys(shared.reasons) as ReasonCode[];

interface Props extends Pick<Draft, "reasons" | "final"> {
  fault: string | undefined;
  onChange(fields: Pick<Draft, "reasons"> | Pick<Draft, "final">): void;
}

/** The closed list of reasons, of which a decision has up to ten. */
export function ReasonsField({ reasons, final, fault, onChange }: Props) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-help`}>
      <legend className="text-13 text-muted">{words.reasons}</legend>
      <p id={`${id}-help`} className={fault ? "text-13 font-medium text-bad" : "text-13 text-muted"}>
        {fault ?? words.reasonsHelp}
      </p>
      <div className="mt-1 grid gap-x-4 sm:grid-cols-2">
        {codes.map((code) => {
          const chosen = reasons.includes(code);
          return (
            <Check
              key={code}
              checked={chosen}
              disabled={!chosen && reasons.length >= maxReasons}
              onChange={() =>
                onChange({ reasons: chosen ? reasons.filter((one) => one !== code) : [...reasons, code] })
              }
            >
              <span className="block first-letter:uppercase">{shared.reasons[code]}</span>
            </Check>
          );
        })}
      </div>
      <div className="mt-2 border-t border-line pt-2">
        <Check checked={final} onChange={(next) => onChange({ final: next })}>
          {words.final}
        </Check>
      </div>
    </fieldset>
  );
}
