import { randomBytes } from "node:crypto";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/*
 * Files that are durable on return and whole even if the machine stops in between: the contents are
 * flushed under another name, put into place, and the directory is flushed, without which the new
 * name may be gone after a power cut although the contents are not. A crash may leave a `.part`
 * behind, which no program reads and no backup takes.
 */

/** Keys, passwords and pictures are among them. */
const ownerOnly = 0o600;

/** Writes a file, or replaces the one that is there. */
export async function writeDurably(path: string, contents: string | Uint8Array): Promise<void> {
  await withDraft(path, contents, (draft) => rename(draft, path));
}

/** Writes a file unless there is one; of several writers the first one wins. */
export async function createDurably(path: string, contents: string | Uint8Array): Promise<void> {
  await withDraft(path, contents, async (draft) => {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  });
}

async function withDraft(
  path: string,
  contents: string | Uint8Array,
  putInPlace: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}.part`;
  try {
    const file = await open(draft, "wx", ownerOnly);
    try {
      await file.writeFile(contents);
      await file.sync();
    } finally {
      await file.close();
    }
    await putInPlace(draft);
  } finally {
    await rm(draft, { force: true });
  }
  await flush(dirname(path));
}

/** Makes a directory with those above it, each of them durable. */
export async function makeDirectories(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  for (let folder = path; first && folder.length >= first.length; folder = dirname(folder)) {
    await flush(dirname(folder));
  }
}

/** Makes a file's contents durable, or the names in a directory. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
