declare module "virtual:messages/*" {
  const catalogue: import("./load.ts").Catalogue;
  export default catalogue;
}
