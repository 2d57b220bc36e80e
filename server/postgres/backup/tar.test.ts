import { expect, test } from "vitest";
import { type TarEntry, TarReader } from "#server/postgres/backup/tar.ts";

function header(name: string, type: string, size: string | bigint): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, "utf8");
  if (typeof size === "string") head.write(size, 124, "latin1");
  else {
    head[124] = 0x80;
    head.writeBigUInt64BE(size, 128);
  }
  head.write(type, 156, "latin1");
  head.write("        ", 148, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return head;
}

const block = (text: string) => {
  const padded = Buffer.alloc(Math.ceil(text.length / 512) * 512);
  padded.write(text);
  return padded;
};

const long = "x".repeat(700);
const archive = Buffer.concat([
  header("./base/", "5", "00000000000\0"),
  header("base/1", "0", "00000000005\0"),
  block("seven".slice(0, 5)),
  header("base/empty", "0", "00000000000\0"),
  header("base/long", "\0", 700n),
  block(long),
  Buffer.alloc(1024),
]);

async function read(bytes: Buffer, pieceBytes: number) {
  const entries: TarEntry[] = [];
  const contents: string[] = [];
  let text = "";
  const reader = new TarReader({
    entry: async (entry) => {
      entries.push(entry);
      text = "";
    },
    data: async (part) => {
      text += part.toString();
    },
    end: async () => {
      contents.push(text);
    },
  });
  for (let index = 0; index < bytes.length; index += pieceBytes)
    await reader.push(bytes.subarray(index, index + pieceBytes));
  reader.finish();
  return { entries, contents };
}

test.each([
  1, 511, 512, 513, 100_000,
])("files and directories are extracted intact from pieces of %i bytes", async (pieceBytes) => {
  expect(await read(archive, pieceBytes)).toEqual({
    entries: [
      { path: "base", kind: "directory", bytes: 0 },
      { path: "base/1", kind: "file", bytes: 5 },
      { path: "base/empty", kind: "file", bytes: 0 },
      { path: "base/long", kind: "file", bytes: 700 },
    ],
    contents: ["seven", "", long],
  });
});

const flipped = Buffer.from(archive);
flipped[3]! ^= 1;

test.each<[string, Buffer, RegExp]>([
  ["ends in a file", archive.subarray(0, 1_030), /ends in the middle/],
  ["ends in the padding of a file", archive.subarray(0, 1_200), /ends in the middle/],
  ["ends in a header", archive.subarray(0, 700), /ends in the middle/],
  ["has an altered header", flipped, /wrong checksum/],
  ["holds a device", header("dev", "3", "00000000000\0"), /is not a file/],
])("an archive that %s is refused", async (_title, bytes, message) => {
  await expect(read(bytes, 512)).rejects.toThrow(message);
});
