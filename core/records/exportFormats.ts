/** Formats in which a person's records can be exported. */
export const exportFormats = ["csv", "json"] as const;
