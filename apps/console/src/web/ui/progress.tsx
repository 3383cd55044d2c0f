interface Props {
  value: number;
  /** Absent: nobody knows how much there is. */
  of?: number;
  text: string;
}

/** How far something is: a bar, and the same in words. */
export function Progress({ value, of, text }: Props) {
  return (
    <div>
      <progress
        aria-label={text}
        value={of === undefined ? undefined : Math.min(value, of)}
        max={of === undefined ? undefined : Math.max(of, 1)}
        className="h-2 w-full accent-accent"
      />
      <p className="mt-1 text-13 text-muted tabular-nums">{text}</p>
    </div>
  );
}
