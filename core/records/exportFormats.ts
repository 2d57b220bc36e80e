/** What a person's records can be saved as. */
export const exportFormats = ["csv", "json"] as const;
