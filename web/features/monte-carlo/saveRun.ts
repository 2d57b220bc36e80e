import { saveFile } from "#web/lib/saveFile.ts";

/** Saves a run as JSON; integers of minor units are strings there. */
export function saveRun(name: string, content: object): void {
  const asText = (_key: string, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value;
  saveFile(name, JSON.stringify(content, asText));
}
