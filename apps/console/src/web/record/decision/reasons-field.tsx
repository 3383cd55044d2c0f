import { useId } from "react";
import { Check } from "../../ui/form-fields.tsx";
import { words } from "../../words.ts";
import { type Draft, maxReasons, type ReasonCode } from "./draft.ts";

const { decision: say } = words;
const codes = Object.keys(words.reasons) as ReasonCode[];

interface Props extends Pick<Draft, "reasons" | "final"> {
  fault: string | undefined;
  onChange(fields: Pick<Draft, "reasons"> | Pick<Draft, "final">): void;
}

/** The closed list of reasons, of which a decision has up to ten. */
export function ReasonsField({ reasons, final, fault, onChange }: Props) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-help`}>
      <legend className="text-13 text-muted">{say.reasons}</legend>
      <p id={`${id}-help`} className={fault ? "text-13 font-medium text-bad" : "text-13 text-muted"}>
        {fault ?? say.reasonsHelp}
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
              <span className="block first-letter:uppercase">{words.reasons[code]}</span>
            </Check>
          );
        })}
      </div>
      <div className="mt-2 border-t border-line pt-2">
        <Check checked={final} onChange={(next) => onChange({ final: next })}>
          {say.final}
        </Check>
      </div>
    </fieldset>
  );
}
