import { generateKeyPairSync, sign } from "node:crypto";
import { MismatchError, sha256 } from "../log/bytes.ts";
import { tilePath } from "../log/logReader.ts";
import { consistencyPath, emptyRoot, leafHash, nodeHash, rangeHash } from "../log/merkle.ts";
import { witnessKey } from "./key.ts";
import { createState, type WitnessState } from "./state.ts";
import { Witness } from "./witness.ts";

export const origin = "drydock.invalid/witnessed/00000000";
function logKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const bytes = Buffer.concat([
    Uint8Array.of(1),
    Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url"),
  ]);
  const id = sha256(Buffer.from(`${origin}\n`), bytes).subarray(0, 4);
  return { privateKey, id, vkey: `${origin}+${id.toString("hex")}+${bytes.toString("base64")}` };
}
export const [first, second, third] = [logKey(), logKey(), logKey()];
export const { vkey } = first;
export const ownKeys = generateKeyPairSync("ed25519");
export const key = witnessKey("witness.example/w1", ownKeys.privateKey);

export const entries = (count: number, salt = "") =>
  Array.from({ length: count }, (_, index) =>
    Buffer.from(`entry ${index}${index < 3 ? "" : salt}`),
  );

async function node(list: readonly Buffer[], level: number, index: number): Promise<Uint8Array> {
  if (level === 0) return leafHash(list[index] as Buffer);
  return nodeHash(
    await node(list, level - 1, 2 * index),
    await node(list, level - 1, 2 * index + 1),
  );
}
const getNodes = (list: readonly Buffer[]) => (level: number, index: number) =>
  node(list, level, index);

export async function formatNote(list: readonly Buffer[]): Promise<string> {
  const root = list.length === 0 ? emptyRoot : await rangeHash(0, list.length, getNodes(list));
  const text = `${origin}\n${list.length}\n${Buffer.from(root).toString("base64")}\n`;
  return `${text}\n${instance.signers.map((signer) => toLine(text, signer)).join("")}`;
}

function toLine(text: string, { id, privateKey }: typeof first): string {
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]);
  return `— ${origin} ${signature.toString("base64")}\n`;
}

export function createHandover(from: typeof first, to: typeof first, by = [from, to]): string {
  const text = `drydock.handover/1\n${origin}\n${from.vkey}\n${to.vkey}\n`;
  return `${text}\n${by.map((signer) => toLine(text, signer)).join("")}`;
}

export async function toBody(list: readonly Buffer[], oldSize: number): Promise<string> {
  const path = await consistencyPath(oldSize, list.length, getNodes(list));
  const lines = path.map((hash) => `${Buffer.from(hash).toString("base64")}\n`);
  return `old ${oldSize}\n${lines.join("")}\n${await formatNote(list)}`;
}

/** The log as its instance serves it, and its clock. */
export const instance = {
  /** The log's public state: any width of a tile up to its size, as the checkpoint says. */
  shown: [] as Buffer[],
  /** The entry that is served altered. */
  altered: null as string | null,
  held: async (_path: string): Promise<void> => {},
  signers: [first],
  nowMs: 0,
};
/** Paths with a replaced answer: null for a 404. */
export const replaced = new Map<string, string | null>();
/** The states that the witness stored. */
export const saved: WitnessState[] = [];

/** Answers with the state at the time of the request, once `held` releases the answer. */
export async function readServedFile(path: string): Promise<Uint8Array> {
  const bytes = await read(path);
  await instance.held(path);
  return bytes;
}

async function read(path: string): Promise<Uint8Array> {
  const replacement = [...replaced].find(([start]) => path.startsWith(start))?.[1];
  if (replacement === null) throw new MismatchError("leaves", "leaf_missing", path);
  if (replacement !== undefined) return Buffer.from(replacement);
  if (path === "checkpoint") return Buffer.from(await formatNote(instance.shown));
  for (let size = 1; size <= instance.shown.length; size += 1) {
    if (tilePath("entries", 0, size)?.path === path) {
      const bundle = instance.shown.slice(0, size).map((entry, index) => {
        const bytes = instance.altered === `entry ${index}` ? Buffer.from("another") : entry;
        return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes]);
      });
      return Buffer.concat(bundle);
    }
    if (tilePath(0, 0, size)?.path === path)
      return Buffer.concat(instance.shown.slice(0, size).map(leafHash));
  }
  throw new MismatchError("leaves", "leaf_missing", path);
}

export const options = () => ({
  key,
  file: readServedFile,
  listedKeys: async () => instance.signers.map(({ vkey }) => vkey),
  state: createState(vkey, instance.nowMs),
  save: async (state: WitnessState) => void saved.push(state),
  nowMs: () => instance.nowMs,
  deadAfterMs: 300_000,
  lookAgainMs: 0,
});

/** A witness that has looked once at a log of five entries, with nothing stored since. */
export async function startWitness(): Promise<Witness> {
  instance.shown = entries(5);
  instance.altered = null;
  replaced.clear();
  instance.held = async () => {};
  instance.signers = [first];
  instance.nowMs = 1_700_000_000_000;
  const witness = new Witness(options());
  await witness.observe();
  saved.length = 0;
  return witness;
}
