import { useState } from "react";
import { Key } from "../../ui/button.tsx";
import { cx } from "../../ui/class.ts";
import { words } from "../../words.ts";
import { firstTwo, type NamedFile, sortFiles } from "./files.ts";
import { Pane } from "./pane.tsx";
import type { OpenEvidence } from "./use-evidence.ts";

const { evidence: say } = words;

/** Two files side by side, any two of those that are stored here, and the names of the others. */
export function Compare({ opened, onShut }: { opened: OpenEvidence; onShut(): void }) {
  const { shown, others } = sortFiles(opened.files);
  const [chosen, setChosen] = useState(() => firstTwo(shown));
  const panes = chosen.filter((fileId) => fileId !== undefined);
  return (
    <div className="min-w-0 p-3">
      {panes.length === 0 ? (
        <p className="px-1 py-6 text-muted">{say.noFiles}</p>
      ) : (
        <div className={cx("grid gap-3", panes.length > 1 && "sm:grid-cols-2")}>
          {panes.map((fileId, slot) => (
            <Pane
              key={slot}
              slot={say.slots[slot] ?? ""}
              opening={opened}
              files={shown}
              fileId={fileId}
              onChoose={(next) => setChosen(panes.map((one, index) => (index === slot ? next : one)))}
              onShut={onShut}
            />
          ))}
        </div>
      )}
      {panes.length > 0 && <Hint />}
      {others.length > 0 && <Others files={others} />}
    </div>
  );
}

/** The keys of a picture. Touch screens have none. */
const Hint = () => (
  <p className="mt-2 hidden flex-wrap items-center gap-x-3 gap-y-1 px-1 text-13 text-muted pointer-fine:flex">
    {say.hint}
    {say.keys.map(([key, text]) => (
      <span key={key} className="flex items-center gap-1.5">
        <Key>{key}</Key> {text}
      </span>
    ))}
  </p>
);

function Others({ files }: { files: readonly NamedFile[] }) {
  return (
    <div className="mt-3 px-1">
      <h3 className="text-13 font-semibold">{say.notShown}</h3>
      <ul>
        {files.map(({ field, name, host }) => (
          <li key={field} className="py-0.5 text-13 text-muted">
            <span className="text-text">{name}</span>: {host === null ? say.missing : say.elsewhere(host)}
          </li>
        ))}
      </ul>
    </div>
  );
}
