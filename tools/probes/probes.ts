/**
 * `npm run probes [-- name,…]`: tries what attackers try, on a separate instance on this machine,
 * and prints a line for each: what was seen, and whether it held. Exit status 0: all held; 1: one
 * did not; 2: wrong options, or the instance did not start.
 */
import { parseOptions } from "../lib/options.ts";
import { ToolError } from "../lib/toolError.ts";
import { BrokenError } from "./expect.ts";
import { answerProbes } from "./list/answers.ts";
import { contentionProbes } from "./list/contention.ts";
import { framingProbes } from "./list/framing.ts";
import { limitProbes } from "./list/limits.ts";
import { operatorProbes } from "./list/operators.ts";
import { originProbes } from "./list/origins.ts";
import { pathProbes } from "./list/paths.ts";
import { peopleProbes } from "./list/people.ts";
import { sessionProbes } from "./list/sessions.ts";
import { streamProbes } from "./list/streams.ts";
import { uploadProbes } from "./list/uploads.ts";
import type { Probe } from "./probe.ts";
import { openTestInstance, type TestInstance } from "./testInstance.ts";

const probes: readonly Probe[] = [
  ...pathProbes,
  ...originProbes,
  ...framingProbes,
  ...sessionProbes,
  ...peopleProbes,
  ...limitProbes,
  ...contentionProbes,
  ...streamProbes,
  ...uploadProbes,
  ...operatorProbes,
  ...answerProbes,
];

const usage = `Probes an instance of its own, on this machine, for what attackers try.

  npm run probes [-- name,…] [--list]

--list: what each probe tries and expects. No other instance can be named: try your own only.`;

/** A probe that takes longer has not held. */
const longestMs = 60_000;

function readOptions(): { chosen: readonly Probe[]; list: boolean } {
  const { values, positionals } = parseOptions(
    { allowPositionals: true, options: { list: { type: "boolean", default: false } } },
    usage,
  );
  const names = positionals.flatMap((positional) => positional.split(","));
  const unknown = names.filter((name) => !probes.some((probe) => probe.name === name));
  if (unknown.some((name) => /[./:]/.test(name)))
    throw new ToolError(`Only an instance of this program's own is probed.\n${usage}`);
  if (unknown.length > 0) throw new ToolError(`Unknown: ${unknown.join(", ")}.\n${usage}`);
  const selected = probes.filter(({ name }) => names.length === 0 || names.includes(name));
  return { chosen: selected, list: values.list };
}

/** Prints the line of one probe; returns true if it held. */
async function tryOut(probe: Probe, instance: TestInstance): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new BrokenError(`no end within ${longestMs / 1_000} s`)),
      longestMs,
    );
  });
  try {
    console.log(`held  ${probe.name}: ${await Promise.race([probe.run(instance), timeout])}`);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const note = error instanceof BrokenError ? "" : " (unforeseen)";
    console.log(`BROKEN ${probe.name}: ${message}${note}`);
    console.log(`  tried ${probe.tries}; expected: ${probe.expected}`);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

const { chosen, list } = readOptions();
if (list) {
  for (const { name, tries, expected } of chosen) console.log(`${name}: ${tries}.\n  ${expected}.`);
  process.exit(0);
}
// The exit also stops the server and removes its files.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(2));
const instance = await openTestInstance().catch((error: Error) => {
  throw new ToolError(`The instance did not start: ${error.message}`);
});
let passedCount = 0;
try {
  for (const probe of chosen) passedCount += (await tryOut(probe, instance)) ? 1 : 0;
} finally {
  await instance.remove();
}
console.log(`${chosen.length} probes, ${passedCount} held`);
process.exit(passedCount === chosen.length ? 0 : 1);
