import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/**
 * Text that occurs nowhere else, so finding it in a file proves that user input got there.
 * Lower-case letters and digits.
 */
export function createMarker(length = 20): string {
  return `m${randomBytes(length).toString("hex")}`.slice(0, length);
}

/**
 * The forms a text may have in a file: as is, in the other case, in wide characters, in hex, and in
 * Base64 at each of three alignments.
 */
export function listForms(marker: string | Uint8Array): Map<string, Buffer> {
  const forms = new Map<string, Buffer>();
  const bytes = Buffer.from(marker as Uint8Array);
  forms.set("bytes", bytes);
  if (typeof marker === "string") {
    forms.set("upper case", Buffer.from(marker.toUpperCase()));
    forms.set("UTF-16LE", Buffer.from(marker, "utf16le"));
    forms.set("UTF-16BE", Buffer.from(marker, "utf16le").swap16());
  }
  forms.set("hex", Buffer.from(bytes.toString("hex")));
  forms.set("upper-case hex", Buffer.from(bytes.toString("hex").toUpperCase()));
  for (const shift of [0, 1, 2]) {
    // Neighbouring bytes affect the first and last characters: those between are the marker's
    // alone.
    const before = Math.ceil((shift * 8) / 6);
    const wholeChars = Math.floor(((bytes.length + shift) * 8) / 6);
    for (const encoding of ["base64", "base64url"] as const) {
      const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString(encoding);
      forms.set(`${encoding}+${shift}`, Buffer.from(text.slice(before, wholeChars)));
    }
  }
  return forms;
}

export interface MarkerHit {
  marker: string;
  form: string;
  file: string;
}

const chunkBytes = 8 * 1024 * 1024;

interface Form {
  marker: string;
  form: string;
  bytes: Buffer;
}

/** Every occurrence of any marker, in any of its forms, in any file below the directories. */
export function findMarkers(
  directories: readonly string[],
  markers: Readonly<Record<string, string | Uint8Array>>,
): { findings: MarkerHit[]; files: number; bytes: number } {
  const forms = Object.entries(markers).flatMap(([marker, text]) =>
    [...listForms(text)].map(([form, bytes]) => ({ marker, form, bytes })),
  );
  const overlap = Math.max(...forms.map(({ bytes }) => bytes.length)) - 1;
  const search = createLook(forms);
  const findings: MarkerHit[] = [];
  let [files, total] = [0, 0];
  for (const file of directories.flatMap(filesBelow)) {
    const matches = new Set<Form>();
    files += 1;
    total += readChunks(file, overlap, (chunk) => search(chunk, matches));
    for (const { marker, form } of matches) findings.push({ marker, form, file });
  }
  return { findings, files, bytes: total };
}

/**
 * Searches for all forms in one pass, by their first two bytes, which few positions in a file
 * match.
 */
function createLook(forms: readonly Form[]) {
  const byStart = new Map<number, Form[]>();
  const starts = new Uint8Array(65_536);
  for (const form of forms) {
    const start = form.bytes.readUInt16BE(0);
    starts[start] = 1;
    byStart.set(start, [...(byStart.get(start) ?? []), form]);
  }
  return (chunk: Buffer, matches: Set<Form>) => {
    for (let index = 0; index + 1 < chunk.length; index += 1) {
      const start = (chunk[index]! << 8) | chunk[index + 1]!;
      if (starts[start] === 0) continue;
      for (const form of byStart.get(start)!) {
        const end = index + form.bytes.length;
        if (end <= chunk.length && form.bytes.compare(chunk, index, end) === 0) matches.add(form);
      }
    }
  };
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Reads overlapping chunks, so that no match between two is missed. A file deleted during the read
 * counts as empty.
 */
function readChunks(file: string, overlap: number, onChunk: (chunk: Buffer) => void): number {
  let handle: number;
  try {
    handle = openSync(file, "r");
  } catch {
    return 0;
  }
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (let index = 0; ; index += chunkBytes - overlap) {
      const bytesRead = readSync(handle, chunk, 0, chunkBytes, index);
      if (bytesRead > 0) onChunk(chunk.subarray(0, bytesRead));
      if (bytesRead < chunkBytes) return index + bytesRead;
    }
  } finally {
    closeSync(handle);
  }
}
