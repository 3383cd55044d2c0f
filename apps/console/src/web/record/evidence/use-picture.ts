import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { alone, client } from "../../api/client.ts";
import type { Opened } from "../../api/shapes.ts";
import { evidenceKey } from "./use-evidence.ts";

/** A page of a file as a blob: URL, which is revoked when nothing shows it. */
export function usePicture(
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

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
