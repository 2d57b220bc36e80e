import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { callAsPupil, type Pupil } from "./pupil.ts";

const run = promisify(execFile);

/** The command line's output for these arguments, whatever its exit status. */
async function verify(url: string, directory: string, args: readonly string[]): Promise<string> {
  const main = join(import.meta.dirname, "../../verify/main.ts");
  const options = ["--url", url, "--memory", join(directory, "memory"), "--json"];
  const { stdout } = await run(process.execPath, [main, ...args, ...options], {
    maxBuffer: 1 << 28,
  }).catch((failed: { stdout: string }) => failed);
  return stdout;
}

/** Fetches the receipt of every order and has the command line check it. */
export async function checkReceipts(
  pupils: readonly Pupil[],
  url: string,
  directory: string,
): Promise<{ count: number; agree: number }> {
  const files: string[] = [];
  for (const pupil of pupils) {
    for (const orderId of pupil.orderIds) {
      const file = join(directory, `${orderId}.json`);
      writeFileSync(file, JSON.stringify(await fetchReceipt(pupil, orderId)));
      files.push(file);
    }
  }
  const { reports = [] } = JSON.parse(await verify(url, directory, files)) as {
    reports?: { agrees: boolean }[];
  };
  return { count: files.length, agree: reports.filter(({ agrees }) => agrees).length };
}

async function fetchReceipt(pupil: Pupil, orderId: string): Promise<unknown> {
  for (let tries = 0; tries < 120; tries += 1) {
    const input = { order_id: orderId };
    const { error, data } = await callAsPupil(pupil, "GET", "/api/contract/getReceipt", input);
    if (error === null) return data;
    if (error !== "contracts.receipt_not_ready" && error !== "request.too_many") {
      throw new Error(`The receipt of ${orderId}: ${error}`);
    }
    await sleep(500);
  }
  throw new Error(`The receipt of ${orderId} was not ready within a minute.`);
}

/** The command line's result for the chain of operators' acts. */
export async function checkAudit(url: string, directory: string): Promise<string> {
  const { agrees, message } = JSON.parse(await verify(url, directory, ["--audit"])) as {
    agrees?: boolean;
    message?: string[] | string;
  };
  return `${agrees ? "agrees" : "differs"}: ${[message].flat().join(" ")}`;
}
