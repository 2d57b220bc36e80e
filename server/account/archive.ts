import { Zip, ZipDeflate } from "fflate";

/** A file of an archive: text or bytes in chunks. */
export interface ArchiveFile {
  name: string;
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/** Keeps file names inside the archive, of any source. */
const namePattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/**
 * Streams a zip archive while its files are read. Memory holds one chunk and its compressed output;
 * nothing is read ahead of the consumer.
 */
export async function* writeArchive(
  files: AsyncIterable<ArchiveFile>,
  madeAtMs: number,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, bytes) => {
    if (error) failure = error;
    else if (bytes.length > 0) ready.push(bytes);
  });
  const drain = () => {
    if (failure) throw failure;
    const bytes = ready;
    ready = [];
    return bytes;
  };
  const encoder = new TextEncoder();
  for await (const { name, parts } of files) {
    if (!namePattern.test(name)) throw new RangeError("invalid file name for an archive");
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = madeAtMs;
    zip.add(file);
    for await (const part of parts) {
      file.push(typeof part === "string" ? encoder.encode(part) : part);
      yield* drain();
    }
    file.push(new Uint8Array(0), true);
    yield* drain();
  }
  zip.end();
  yield* drain();
}
