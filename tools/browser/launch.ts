import chromium from "@sparticuz/chromium";

/**
 * The browser of tests and screenshots: an installed one if `CHROMIUM_PATH` names it, else the one
 * that the npm package ships.
 */
export async function browserPath(): Promise<string> {
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
