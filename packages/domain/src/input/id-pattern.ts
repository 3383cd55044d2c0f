/** The pattern of an opaque id: letters, digits, _ and -. */
export const idPattern = (maxLength: number) => new RegExp(`^[0-9A-Za-z_\\-]{1,${maxLength}}$`, "u");
