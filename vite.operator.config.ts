import { defineConfig } from "vite";
import { bundle } from "./build/bundle.ts";
import { consoleParts } from "./build/messages.ts";

/**
 * The console's own bundle, served under `/operator`. A build apart from the phone app's, so that
 * nobody who does not operate downloads a byte of it and no file of the app changes when it does
 * (docs/decisions/161).
 */
export default defineConfig({
  ...bundle("operator", "dist/web/operator", consoleParts),
  base: "/operator/",
  publicDir: false,
});
