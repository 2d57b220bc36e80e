import { rename } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CannotCheckError, type Instance, openInstance, parseLeafIndexes } from "../instance.ts";
import { writeDurably } from "../log/durable.ts";
import { isSignedBy, parseCheckpoint, parseVerifierKey } from "../log/note.ts";
import { openWitnessKey, type WitnessKey } from "./key.ts";
import { describeStatus, isAlarming, statusLine } from "./page.ts";
import { listenOn } from "./server.ts";
import { createState, createSuccessorState, readState, type WitnessState } from "./state.ts";
import { Witness } from "./witness.ts";

/**
 * `npm run witness`: an outside witness for one instance, to be run on a friend's machine. It
 * follows the log, checks that it only grows, and cosigns what it has checked.
 */
const usage = `Watches the public log of a Drydock instance and cosigns it.

  npm run witness -- --url <instance> --name <name>

  --url <address>      the instance whose log is watched
  --name <name>        the name of this witness, such as witness.example.org/harbour
  --listen <host:port> where the instance submits checkpoints (default 127.0.0.1:8093)
  --folder <folder>    keeps the key and what was seen (default ~/.local/state/drydock-witness)
  --log-key <vkey>     the log's key, if you have it from elsewhere; else the first one seen is trusted
  --every <seconds>    pause between two looks at the log (default 10)
  --dead <seconds>     alarm when the log has not grown for so long (default 300)
  --accept-successor <origin>
                       follow the log that succeeded one that lost leaves, after that alarm
  --once               look once, print how the log stands, and end

Exit status: 0 the log grows as it should, 1 alarm, 2 the log could not be read.
An alarm is printed, kept as alarm.json in the folder with the signed notes that prove it, and shown on the page.
After an alarm nothing is signed until you have looked at it and moved alarm.json and witness.json away.
A log that stops growing without an act that paused its world, or that does not show what it signs, is an alarm until it does again.`;

interface Options {
  url: string;
  name: string;
  listen: string;
  folder: string;
  logKey: string | undefined;
  everyMs: number;
  deadAfterMs: number;
  acceptSuccessor: string | undefined;
  once: boolean;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (!options) {
    console.log(usage);
    return 2;
  }
  const { url, folder, name } = options;
  const instance = openInstance(url);
  const key = await openWitnessKey(join(folder, "witness-key.pem"), name);
  const file = join(folder, "witness.json");
  const witness = new Witness({
    key,
    file: instance.file,
    listedKeys: () => fetchListedKeys(instance),
    listedSuccessions: async () => parseLeafIndexes((await logState(instance)).successions),
    state: requireKey(await loadState(file, options), options) ?? (await createFirstState(options)),
    save: async (state) => {
      await writeDurably(file, `${JSON.stringify(state, null, 1)}\n`);
      if (state.alarm)
        await writeDurably(join(folder, "alarm.json"), `${JSON.stringify(state.alarm, null, 1)}\n`);
    },
    nowMs: () => Date.now(),
    deadAfterMs: options.deadAfterMs,
  });
  if (options.once) {
    await witness.observe();
    console.log(statusLine(witness));
    return witness.state.alarm ? 1 : 0;
  }
  return await serve(witness, options, key);
}

function readOptions(): Options | null {
  const { values } = parseArgs({
    options: {
      url: { type: "string" },
      name: { type: "string" },
      listen: { type: "string", default: "127.0.0.1:8093" },
      folder: { type: "string", default: join(homedir(), ".local/state/drydock-witness") },
      "log-key": { type: "string" },
      every: { type: "string", default: "10" },
      dead: { type: "string", default: "300" },
      "accept-successor": { type: "string" },
      once: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [every, deadAfter] = [Number(values.every), Number(values.dead)];
  if (values.help || !values.url || !values.name || !(every > 0) || !(deadAfter > 0)) return null;
  return {
    url: values.url,
    name: values.name,
    listen: values.listen,
    folder: values.folder,
    logKey: values["log-key"],
    everyMs: every * 1_000,
    deadAfterMs: deadAfter * 1_000,
    acceptSuccessor: values["accept-successor"],
    once: values.once,
  };
}

/** The state at the first look at the log, whose key is trusted from then on. */
async function createFirstState({ url, logKey }: Options): Promise<WitnessState> {
  const instance = openInstance(url);
  const note = Buffer.from(await instance.file("checkpoint")).toString("utf8");
  const vkey = logKey ?? (await fetchListedKeys(instance))[0];
  if (!vkey || !isSignedBy(parseCheckpoint(note), parseVerifierKey(vkey)))
    throw new CannotCheckError("The log's checkpoint is not signed by the key it should be.");
  return createState(vkey, Date.now());
}

/**
 * Returns the stored state, or the beginning of the successor that the witness is set to follow.
 */
async function loadState(
  file: string,
  { acceptSuccessor, folder }: Options,
): Promise<WitnessState | null> {
  const state = await readState(file);
  if (!state || acceptSuccessor === undefined) return state;
  if (!state.alarm && parseVerifierKey(state.vkey).name === acceptSuccessor) return state;
  const successor = createSuccessorState(state, acceptSuccessor, Date.now());
  if (!successor)
    throw new CannotCheckError(
      `The log that ${folder} follows has no successor ${acceptSuccessor}.`,
    );
  await writeDurably(file, `${JSON.stringify(successor, null, 1)}\n`);
  await rename(join(folder, "alarm.json"), join(folder, `alarm-${state.alarm?.atMs}.json`)).catch(
    () => {},
  );
  return successor;
}

/** A named key must be the key of the log that the folder already follows. */
function requireKey(state: WitnessState | null, { logKey, folder }: Options): WitnessState | null {
  if (state && logKey !== undefined && ![state.vkey, ...state.formerKeys].includes(logKey))
    throw new CannotCheckError(
      `${folder} follows the log of the key ${state.vkey}, not of ${logKey}: name another folder.`,
    );
  return state;
}

interface LogState {
  keys?: { vkey: string }[];
  successions?: unknown;
}

const logState = async (instance: Instance) =>
  (await instance.call("/api/log/getState")) as LogState;

async function fetchListedKeys(instance: Instance): Promise<string[]> {
  return ((await logState(instance)).keys ?? []).map(({ vkey }) => vkey);
}

async function serve(
  witness: Witness,
  options: Options,
  { vkey, mlDsaVkey }: WitnessKey,
): Promise<number> {
  const { url, listen, everyMs } = options;
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopping.abort());
  let message = "";
  const runTask = async (task: () => Promise<void>) => {
    try {
      await task();
    } catch (error) {
      if (!(error instanceof CannotCheckError)) throw error;
      console.error(error.message);
    }
    const status = describeStatus(witness);
    if (status !== message) console.log(statusLine(witness));
    message = status;
  };
  // Nothing is cosigned before the checkpoint was read, so an earlier request would be refused.
  await runTask(() => witness.observeCheckpoint());
  const server = await listenOn(listen, witness, { url, vkey });
  console.log(`Witness ${vkey}`);
  console.log(
    `For the instance's witness policy: witness ${options.name} ${vkey} http://${listen}`,
  );
  if (mlDsaVkey)
    console.log(
      `Its second key, ML-DSA-44, for readers (npm run verify -- --witness): ${mlDsaVkey}`,
    );
  while (!stopping.signal.aborted) {
    await runTask(() => witness.observe());
    await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
  }
  server.close();
  server.closeAllConnections();
  return isAlarming(witness) ? 1 : 0;
}

if (import.meta.main) {
  main().then(
    (status) => {
      process.exitCode = status;
    },
    (error: unknown) => {
      console.error((error as Error).message);
      process.exitCode = 2;
    },
  );
}
