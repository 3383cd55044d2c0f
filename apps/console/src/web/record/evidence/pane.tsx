import { useEffect, useState } from "react";
import { shownError } from "../../api/problem.ts";
import type { Opened } from "../../api/shapes.ts";
import { Select } from "../../ui/select.tsx";
import { Bar, ErrorState } from "../../ui/states.tsx";
import { words } from "../../words.ts";
import type { ShownFile } from "./files.ts";
import { Picture } from "./picture.tsx";
import { PictureTools } from "./picture-tools.tsx";
import { usePicture } from "./use-picture.ts";
import { useView } from "./use-view.ts";

const { evidence: say } = words;

interface Props {
  slot: string;
  opening: Pick<Opened, "kycRecordId" | "openingId">;
  files: readonly ShownFile[];
  fileId: string;
  onChoose(fileId: string): void;
  onShut(): void;
}

/** One of two pictures, with the choice of its file. */
export function Pane({ slot, opening, files, fileId, onChoose, onShut }: Props) {
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
  const label = pages.pages > 1 ? `${name}, ${say.page(page, pages.pages)}` : name;
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
            <span className="sr-only">{say.loading}</span>
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
