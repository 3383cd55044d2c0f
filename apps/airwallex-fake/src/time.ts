/** Formats a time in milliseconds since 1970 as Airwallex does: `2026-05-12T00:00:00+0000`. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "+0000");
}
