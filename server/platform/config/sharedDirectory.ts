import { randomBytes } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AppContext } from "#server/platform/context.ts";
import { flush, makeDirectories, writeDurably } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A process that starts asks the others of its world whether they see its files. */
    "directory.asked": { check: string };
    "directory.answered": { check: string; seen: boolean };
  }
}

/** The parts of the data directory that web, feed and worker of a world must share. */
const sharedFolders = ["keys", "blobs"] as const;
const idFile = "directory-id";
/** How long a process that starts waits for answers, in real milliseconds. */
const answersMs = 2_000;

/**
 * Checks that the data directory is the one that the world has used so far, by the random id in its
 * shared parts; `known` is the id that the database has. Returns the id. A world without one gets
 * the directory's, or a new one. Throws a StartError.
 */
export async function requireSameDirectory(
  dataDirectory: string,
  knownId: string | null,
): Promise<string> {
  const ids = await Promise.all(sharedFolders.map((part) => readId(join(dataDirectory, part))));
  const id = knownId ?? ids.find((item) => item !== null) ?? randomBytes(16).toString("hex");
  for (const [index, part] of sharedFolders.entries()) {
    if (ids[index] === id) continue;
    const directory = join(dataDirectory, part);
    if (ids[index] !== null || knownId !== null) {
      const reason =
        ids[index] === null
          ? `${join(directory, idFile)} is missing`
          : "it belongs to another database";
      throw new StartError(
        `${directory} is not the directory that this world has used so far (${reason}): set DRYDOCK_DATA to that one, which web, feed and worker share, or put back a copy of it as a whole.`,
      );
    }
    await writeId(directory, id);
  }
  return id;
}

async function readId(directory: string): Promise<string | null> {
  const path = join(directory, idFile);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const id = text.trim();
  if (!/^[0-9a-f]{32}$/.test(id))
    throw new StartError(`The file ${path} is damaged: put a copy of it back.`);
  return id;
}

/** Durable before the database refers to it: without it the next start would be refused. */
async function writeId(directory: string, id: string): Promise<void> {
  await makeDirectories(directory);
  await writeDurably(join(directory, idFile), `${id}\n`);
  // Also if the directory is older than this file.
  await flush(join(directory, ".."));
}

/** Proves to the processes of a world that they share a directory. */
export interface DirectoryChecks {
  /**
   * Puts a file into each shared part and asks the running processes, `others` of them at most,
   * whether they see it: a copy of the directory has the right id and is still another one. A
   * process that does not answer in time is not waited for. Throws a StartError if one does not see
   * them.
   */
  prove(otherCount: number): Promise<void>;
  /** Stops answering. */
  stop(): void;
}

/** Answers processes that start, from now on. */
export function createDirectoryChecks({
  bus,
  config: { dataDirectory },
}: Pick<AppContext, "bus" | "config">): DirectoryChecks {
  const getPaths = (check: string) =>
    sharedFolders.map((part) => join(dataDirectory, part, `check-${check}`));
  const challenges = new Set<string>();
  const stop = bus.subscribe("directory.asked", ({ check }) => {
    if (challenges.has(check) || !/^[0-9a-f]{32}$/.test(check)) return;
    Promise.all(getPaths(check).map((path) => stat(path))).then(
      () => bus.publish("directory.answered", { check, seen: true }),
      () => bus.publish("directory.answered", { check, seen: false }),
    );
  });
  const prove = async (otherCount: number) => {
    if (otherCount === 0) return;
    const check = randomBytes(16).toString("hex");
    challenges.add(check);
    const answers: boolean[] = [];
    const answersDone = new AbortController();
    const forget = bus.subscribe("directory.answered", (answer) => {
      if (answer.check !== check) return;
      answers.push(answer.seen);
      if (!answer.seen || answers.length >= otherCount) answersDone.abort();
    });
    try {
      for (const path of getPaths(check)) await writeFile(path, "");
      bus.publish("directory.asked", { check });
      await sleep(answersMs, undefined, { signal: answersDone.signal }).catch(() => {});
    } finally {
      forget();
      for (const path of getPaths(check)) await rm(path, { force: true });
    }
    if (answers.every((isSeen) => isSeen)) return;
    throw new StartError(
      `${dataDirectory} is not the directory that the other processes of this world use: web, feed and worker must share one DRYDOCK_DATA, with keys and blobs; a copy of it is another one.`,
    );
  };
  return { prove, stop };
}
