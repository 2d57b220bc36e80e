declare module "virtual:catalogues" {
  type Part = { default: import("./load.ts").Catalogue };
  /** A language's first part, and how to load its others. */
  type Shell = Part & { parts: Record<string, () => Promise<Part>> };
  const shells: Record<import("#core/locales.ts").Locale, () => Promise<Shell>>;
  export default shells;
}
