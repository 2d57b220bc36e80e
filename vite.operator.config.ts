import { defineConfig } from "vite";
import { bundle } from "./build/bundle.ts";
import { consoleParts } from "./build/messages.ts";

/**
 * The console's bundle, served under `/operator`. A separate build, so that nobody else downloads
 * any of it, and no file of the app changes when it does (docs/decisions/161).
 */
export default defineConfig({
  ...bundle("operator", "dist/web/operator", consoleParts),
  base: "/operator/",
  publicDir: false,
});
