declare module "virtual:catalogues" {
  const loaders: Record<
    import("./locales.ts").Locale,
    Record<string, () => Promise<{ default: import("./load.ts").Catalogue }>>
  >;
  export default loaders;
}
