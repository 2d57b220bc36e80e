import chromium from "@sparticuz/chromium";

/**
 * The browser of tests and screenshots: the one at `CHROMIUM_PATH` if set, else the one shipped by
 * the npm package.
 */
export async function findBrowserPath(): Promise<string> {
  return process.env.CHROMIUM_PATH ?? (await chromium.executablePath());
}

export const launchArguments = [
  "--no-sandbox",
  "--headless=shell",
  "--disable-gpu",
  "--no-zygote",
  "--hide-scrollbars",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--force-color-profile=srgb",
];
