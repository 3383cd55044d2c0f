import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { alone, client } from "../../api/client.ts";
import { shownError } from "../../api/problem.ts";
import type { Opened } from "../../api/shapes.ts";
import { cx } from "../../ui/class.ts";
import { Select } from "../../ui/select.tsx";
import { Bar, ErrorState } from "../../ui/states.tsx";
import { firstTwo, type ShownFile, sortFiles } from "./files.ts";
import { Picture, PictureTools, useView } from "./picture.tsx";
import { evidenceKey, type OpenEvidence } from "./use-evidence.ts";

const words = {
  slots: ["Picture 1", "Picture 2"],
  elsewhere: (host: string) => `at ${host}. The service does not fetch files of other hosts.`,
  missing: "no longer stored. It was deleted, or it expired.",
  noFiles: "No file of this submission is stored here.",
  page: (name: string, page: number, pages: number) => `${name}, Page ${page} of ${pages}`,
  loading: "Loading the picture…",
} as const;

interface CompareProps {
  opened: OpenEvidence;
  /** The service says that the evidence is closed. */
  onShut(): void;
}

/** Two files side by side, any two of those that are stored here, and the names of the others. */
export function Compare({ opened, onShut }: CompareProps) {
  const { shown, others } = sortFiles(opened.files);
  const [chosen, setChosen] = useState(() => firstTwo(shown));
  return (
    <div className="min-w-0 p-3">
      {chosen.length === 0 && <p className="px-1 py-6 text-muted">{words.noFiles}</p>}
      <div className={cx("grid gap-3", chosen.length > 1 && "sm:grid-cols-2")}>
        {chosen.map((file, slot) => (
          <div key={words.slots[slot]} className="flex min-w-0 flex-col rounded border border-line">
            <div className="border-b border-line p-1.5">
              <Select
                label={words.slots[slot] ?? ""}
                value={file.fileId}
                neutral={file.fileId}
                options={shown.map(({ fileId, name }) => ({ value: fileId, text: name }))}
                onChange={(next) =>
                  setChosen(chosen.with(slot, shown.find(({ fileId }) => fileId === next) ?? file))
                }
              />
            </div>
            <Pane key={file.fileId} opening={opened} {...file} onShut={onShut} />
          </div>
        ))}
      </div>
      <ul className="mt-2 px-1 text-13 text-muted">
        {others.map(({ field, name, host }) => (
          <li key={field} className="py-0.5">
            <span className="text-text">{name}</span>: {host === null ? words.missing : words.elsewhere(host)}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Opening = Pick<Opened, "kycRecordId" | "openingId">;

interface PaneProps extends Pick<ShownFile, "fileId" | "name"> {
  opening: Opening;
  onShut(): void;
}

/** One file: the picture of a page, and its buttons. */
function Pane({ opening, fileId, name, onShut }: PaneProps) {
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
  const label = pages.pages > 1 ? words.page(name, page, pages.pages) : name;
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

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** A page of a file as a blob: URL, which is revoked when nothing shows it. */
function usePicture({ kycRecordId, openingId }: Opening, fileId: string, page: number) {
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
