import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { alone, client } from "../../api/client.ts";
import { shownError } from "../../api/problem.ts";
import type { Opened } from "../../api/shapes.ts";
import { Key } from "../../ui/button.tsx";
import { cx } from "../../ui/class.ts";
import { Select } from "../../ui/select.tsx";
import { Bar, ErrorState } from "../../ui/states.tsx";
import { firstTwo, type NamedFile, type ShownFile, sortFiles } from "./files.ts";
import { Picture } from "./picture.tsx";
import { PictureTools } from "./picture-tools.tsx";
import { evidenceKey, type OpenEvidence } from "./use-evidence.ts";
import { useView } from "./use-view.ts";
import { words } from "./words.ts";

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Two files side by side, any two of those that are stored here, and the names of the others. */
export function Compare({ opened, onShut }: { opened: OpenEvidence; onShut(): void }) {
  const { shown, others } = sortFiles(opened.files);
  const [chosen, setChosen] = useState(() => firstTwo(shown));
  const panes = chosen.filter((fileId) => fileId !== undefined);
  return (
    <div className="min-w-0 p-3">
      {panes.length === 0 ? (
        <p className="px-1 py-6 text-muted">{words.noFiles}</p>
      ) : (
        <div className={cx("grid gap-3", panes.length > 1 && "sm:grid-cols-2")}>
          {panes.map((fileId, slot) => (
            <Pane
              key={slot}
              slot={words.slots[slot] ?? ""}
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
    {words.hint}
    {words.keys.map(([key, text]) => (
      <span key={key} className="flex items-center gap-1.5">
        <Key>{key}</Key> {text}
      </span>
    ))}
  </p>
);

function Others({ files }: { files: readonly NamedFile[] }) {
  return (
    <div className="mt-3 px-1">
      <h3 className="text-13 font-semibold">{words.notShown}</h3>
      <ul>
        {files.map(({ field, name, host }) => (
          <li key={field} className="py-0.5 text-13 text-muted">
            <span className="text-text">{name}</span>: {host === null ? words.missing : words.elsewhere(host)}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Props {
  slot: string;
  opening: Pick<Opened, "kycRecordId" | "openingId">;
  files: readonly ShownFile[];
  fileId: string;
  onChoose(fileId: string): void;
  onShut(): void;
}

/** One of two pictures, with the choice of its file. */
function Pane({ slot, opening, files, fileId, onChoose, onShut }: Props) {
  const name = files.find((file) => file.fileId === fileId)?.name ?? "";
  return (
    <div className="flex min-w-0 flex-col rounded border border-line">
      <div className="border-b border-line p-1.5">
        <Select
          label={slot}
          value={fileId}
          neutral={fileId}
          options={files.map((file) => ({ value: file.fileId, text: file.name }))}
          onChange={(next) => next && onChoose(next)}
        />
      </div>
      <PaneOfFile key={fileId} {...{ opening, fileId, name, onShut }} />
    </div>
  );
}

type FileProps = Pick<Props, "opening" | "fileId" | "onShut"> & { name: string };

function PaneOfFile({ opening, fileId, name, onShut }: FileProps) {
  const [page, setPage] = useState(1);
  const { picture, error, refetch } = usePicture(opening, fileId, page);
  const view = useView();
  const [pages, setPages] = useState({ pages: 1, allPages: 1 });
  useEffect(() => {
    if (picture) setPages(picture);
  }, [picture]);
  const isShut = error !== null && shownError(error).code === "EVIDENCE_CLOSED";
  useEffect(() => {
    if (isShut) onShut();
  }, [isShut, onShut]);
  const label = pages.pages > 1 ? `${name}, ${words.page(page, pages.pages)}` : name;
  return (
    <>
      <div className="relative h-72 overflow-hidden bg-sunken [container-type:size] sm:h-105">
        {error ? (
          <div className="absolute inset-0 overflow-auto bg-surface">
            <ErrorState error={error} onRetry={() => void refetch()} />
          </div>
        ) : picture ? (
          <Picture {...picture} label={label} view={view} />
        ) : (
          <div aria-busy="true" className="absolute inset-3">
            <span className="sr-only">{words.loading}</span>
            <Bar className="h-full w-full" />
          </div>
        )}
      </div>
      <PictureTools
        name={name}
        view={view}
        pages={{ page, ...pages }}
        onPage={(next) => {
          view.fit();
          setPage(next);
        }}
      />
    </>
  );
}

/** A page of a file as a blob: URL, which is revoked when nothing shows it. */
function usePicture(
  { kycRecordId, openingId }: Pick<Opened, "kycRecordId" | "openingId">,
  fileId: string,
  page: number,
) {
  const { data, error, refetch } = useQuery({
    queryKey: [...evidenceKey(openingId), fileId, page],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const input = { kycRecordId, openingId, fileId, page };
      const { image, ...rest } = await client.records.submissionFile.query(input, { signal, ...alone });
      return { ...rest, blob: new Blob([bytesOf(image)], { type: "image/webp" }) };
    },
  });
  const blob = data?.blob;
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [blob]);
  return { picture: data && url ? { ...data, url } : undefined, error, refetch };
}
