/** Joins the names of classes. */
export const cx = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(" ");
