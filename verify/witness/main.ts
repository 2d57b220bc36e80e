import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CannotCheckError, openInstance } from "../instance.ts";
import { emptyRoot } from "../log/merkle.ts";
import { isSignedBy, readCheckpoint, readVerifierKey } from "../log/note.ts";
import { openWitnessKey } from "./key.ts";
import { statusLine, statusPage } from "./page.ts";
import { readState, type WitnessState, writeDurably } from "./state.ts";
import { type Answer, Witness } from "./witness.ts";

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
  --once               look once, print how the log stands, and end

Exit status: 0 the log grows as it should, 1 alarm, 2 the log could not be read.
An alarm is printed, kept as alarm.json in the folder with the signed notes that prove it, and shown on the page.
After an alarm nothing is signed until you have looked at it and moved alarm.json and witness.json away.`;

const bodyMax = 64 * 1024;

interface Options {
  url: string;
  name: string;
  listen: string;
  folder: string;
  logKey: string | undefined;
  everyMs: number;
  deadAfterMs: number;
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
    state: (await readState(file)) ?? (await firstState(options)),
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
  return await serve(witness, options, key.vkey);
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
      once: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [every, dead] = [Number(values.every), Number(values.dead)];
  if (values.help || !values.url || !values.name || !(every > 0) || !(dead > 0)) return null;
  return {
    url: values.url,
    name: values.name,
    listen: values.listen,
    folder: values.folder,
    logKey: values["log-key"],
    everyMs: every * 1_000,
    deadAfterMs: dead * 1_000,
    once: values.once,
  };
}

/** The log as it is first seen: its key is trusted from now on. */
async function firstState({ url, logKey }: Options): Promise<WitnessState> {
  const instance = openInstance(url);
  const note = Buffer.from(await instance.file("checkpoint")).toString("utf8");
  const listed = (await instance.call("/api/log/getState")) as { keys?: { vkey: string }[] };
  const vkey = logKey ?? listed.keys?.[0]?.vkey;
  if (!vkey || !isSignedBy(readCheckpoint(note), readVerifierKey(vkey)))
    throw new CannotCheckError("The log's checkpoint is not signed by the key it should be.");
  const nothing = { size: 0, root: emptyRoot.toString("base64"), note: "" };
  return { vkey, sinceMs: Date.now(), cosigned: nothing, observed: nothing, alarm: null };
}

async function serve(witness: Witness, options: Options, vkey: string): Promise<number> {
  const { url, listen, everyMs } = options;
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopping.abort());
  const server = createServer((request, response) => {
    void answer(request, witness, url, vkey)
      .catch(() => ({ status: 500, type: "text/plain", body: "failed\n" }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { "content-type": type }).end(body);
      });
  });
  const [, host = "127.0.0.1", port = ""] = /^(.*):([0-9]+)$/.exec(listen) ?? [];
  server.requestTimeout = 10_000;
  server.listen(Number(port), host.replace(/^\[|\]$/g, ""));
  // Whoever reads the lines below may submit at once.
  await once(server, "listening");
  console.log(`Witness ${vkey}`);
  console.log(
    `For the instance's witness policy: witness ${options.name} ${vkey} http://${listen}`,
  );
  let said = "";
  while (!stopping.signal.aborted) {
    try {
      await witness.observe();
    } catch (fault) {
      if (!(fault instanceof CannotCheckError)) throw fault;
      console.error(fault.message);
    }
    const line = statusLine(witness);
    const kind = line.slice(0, 24);
    if (kind !== said) console.log(line);
    said = kind;
    await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
  }
  server.close();
  server.closeAllConnections();
  return witness.state.alarm || witness.isDead ? 1 : 0;
}

async function answer(
  request: IncomingMessage,
  witness: Witness,
  url: string,
  vkey: string,
): Promise<Answer> {
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (request.method === "POST" && path === "/add-checkpoint") {
    const body = await readBody(request);
    if (body === null) return { status: 413, type: "text/plain", body: "too large\n" };
    return await witness.addCheckpoint(body);
  }
  const hash = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path)?.[1];
  if (request.method === "GET" && hash) return witness.checkpointOf(hash);
  if (request.method === "GET" && path === "/")
    return { status: 200, type: "text/html; charset=utf-8", body: statusPage(witness, url, vkey) };
  return { status: 404, type: "text/plain", body: "not found\n" };
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > bodyMax) return null;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}

if (import.meta.main) {
  main().then(
    (status) => {
      process.exitCode = status;
    },
    (fault: unknown) => {
      console.error((fault as Error).message);
      process.exitCode = 2;
    },
  );
}
