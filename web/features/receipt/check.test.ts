import { readFileSync } from "node:fs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { beforeEach, describe, expect, test } from "vitest";
import { createShownFacts, type ShownFacts } from "#core/records/shownFacts.ts";
import { concatBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import {
  checkpointText,
  encodeVkey,
  noteKey,
  parseVkey,
  signNote,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";
import { signHandover } from "#core/transparency-log/handover.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { encodeBundle, parseTilePath, tileWidthAt } from "#core/transparency-log/tile.ts";
import { checkAgainstLog } from "#web/features/receipt/check.ts";
import { createEarlierReceipts } from "#web/features/receipt/earlierReceipts.ts";
import { contractKind } from "#web/features/receipt/kinds/contractKind.ts";
import { findReceiptKind } from "#web/features/receipt/kinds/kinds.ts";
import { createLogReader, LogReadError } from "#web/features/receipt/logReader.ts";
import { openLog } from "#web/features/receipt/logView.ts";
import { comparePrices, findSecond } from "#web/features/receipt/priceSample.ts";
import type { CheckpointStore, StoredCheckpoint } from "./checkpointStore.ts";

interface Vectors {
  vkey: string;
  checkpoint: string;
  entries: string[];
  receipts: Record<string, unknown>[];
  altered: { name: string; receipt: unknown; step: string; difference: string }[];
  falsified: (Vectors["altered"][number] & { at: number; remove: number; insert: string[] })[];
}
const vectors = JSON.parse(
  readFileSync(new URL("../../../docs/formats/vectors/receipt.json", import.meta.url), "utf8"),
) as Vectors;

const verify: VerifyEd25519 = (signature, message, key) => ed25519.verify(signature, message, key);
const origin = parseVkey(vectors.vkey)!.name;
const secret = new Uint8Array(32).fill(0x42);
const signer = {
  key: parseVkey(vectors.vkey)!,
  sign: (message: Uint8Array) => ed25519.sign(message, secret),
};
const otherSecret = new Uint8Array(32).fill(0x43);
const otherLog = {
  key: noteKey(origin, ed25519.getPublicKey(otherSecret)),
  sign: (message: Uint8Array) => ed25519.sign(message, otherSecret),
};
const latestSecret = new Uint8Array(32).fill(0x44);
const latest = {
  key: noteKey(origin, ed25519.getPublicKey(latestSecret)),
  sign: (message: Uint8Array) => ed25519.sign(message, latestSecret),
};

/** Serves the files of a log over `entries`, as a server would. */
function serve(entries: Uint8Array[], signers = [signer]) {
  const hashes = entries.map(leafHash);
  const answer = (path: string): Uint8Array | null => {
    if (path === "checkpoint") {
      const text = checkpointText({ origin, size: entries.length, root: treeRoot(hashes) });
      return new TextEncoder().encode(signNote(text, signers));
    }
    const tile = parseTilePath(path);
    if (!tile || tileWidthAt(tile.level, tile.index, entries.length) < tile.width) return null;
    const from = tile.index * 256;
    if (tile.level === "entries") return encodeBundle(entries.slice(from, from + tile.width));
    const span = 256 ** tile.level;
    return concatBytes(
      ...Array.from({ length: tile.width }, (_, index) => {
        const start = (from + index) * span;
        return treeRoot(hashes.slice(start, start + span));
      }),
    );
  };
  return async (url: string) => {
    const body = answer(url.replace("/log/", ""));
    return body ? new Response(body.slice()) : new Response(null, { status: 404 });
  };
}

const entries = vectors.entries.map((hex) => hexToBytes(hex));
let storedCheckpoint: StoredCheckpoint | null = null;
const store: CheckpointStore = {
  read: () => storedCheckpoint,
  write: (log) => {
    storedCheckpoint = log;
  },
};
beforeEach(() => {
  storedCheckpoint = null;
});

function check(
  receipt: unknown,
  send: (url: string) => Promise<Response> = serve(entries),
  vkeys = [vectors.vkey],
) {
  const reader = createLogReader("/log", send);
  const servedLog = { origin, vkeys };
  return checkAgainstLog(contractKind, receipt, {
    reader,
    servedLog: servedLog,
    store,
    witnessKeys: [],
    verify,
    nowMs: 1,
  });
}

async function findProblem(...checkArguments: Parameters<typeof check>): Promise<string | null> {
  const { ok, steps } = await check(...checkArguments);
  const failed = steps.find((step) => !step.ok);
  expect(ok).toBe(failed === undefined);
  return failed ? `${failed.step}: ${failed.mismatch}` : null;
}

describe("checking a receipt", () => {
  test.each(
    vectors.receipts.map((receipt, index) => [index, receipt] as const),
  )("receipt %i of the vectors agrees with their log in every step", async (_at, receipt) => {
    const { ok, steps } = await check(receipt);
    expect(ok).toBe(true);
    expect(steps.map(({ step }) => step)).toEqual([
      "form",
      "signature",
      "memory",
      "leaves",
      "world",
      "marks",
      "order",
      "terms",
      "binding",
      "entry",
      "window",
      "selling",
      "outcome",
      "day",
      "seed",
      "index",
    ]);
  });

  test.each(
    vectors.altered.map(
      ({ name, receipt, step, difference }) => [name, step, difference, receipt] as const,
    ),
  )("a receipt with %s fails at %s: %s", async (_name, step, difference, receipt) => {
    expect(await findProblem(receipt)).toBe(`${step}: ${difference}`);
  });

  test.each(
    vectors.falsified.map(
      (testCase) => [testCase.name, testCase.step, testCase.difference, testCase] as const,
    ),
  )("a receipt from a log with %s fails at %s: %s", async (_name, step, difference, testCase) => {
    const { at, remove, insert, receipt } = testCase;
    const log = entries.toSpliced(at, remove, ...insert.map(hexToBytes));
    expect(await findProblem(receipt, serve(log))).toBe(`${step}: ${difference}`);
  });

  test.each([
    ["nothing", null],
    ["a list", []],
    ["a receipt of another format", { format: "drydock.receipt.mining/1" }],
    ["a receipt with an absurd range", { ...vectors.receipts[0], window_leaves: [0, 10_000_000] }],
  ])("%s is malformed", async (_what, receipt) => {
    expect(await findProblem(receipt)).toBe("form: receipt_malformed");
  });

  test("a receipt of another log is not checked against this one", async () => {
    const log = { origin: "elsewhere", vkey: vectors.vkey };
    expect(await findProblem({ ...vectors.receipts[0], log })).toBe("signature: other_log");
  });

  test("a receipt with a key that the log does not list is refused", async () => {
    const log = { origin, vkey: encodeVkey(otherLog.key) };
    expect(await findProblem({ ...vectors.receipts[0], log })).toBe("signature: key_unlisted");
  });
});

describe("a dishonest log", () => {
  const receipt = vectors.receipts[0]!;
  const alterLeaf = (leafIndex: number) =>
    entries.map((entry, index) => {
      const copy = entry.slice();
      if (index === leafIndex) copy[copy.length - 1]! ^= 1;
      return copy;
    });

  test("an entry other than the signed one is detected", async () => {
    const honestLog = serve(entries);
    const lyingLog = serve(alterLeaf(65));
    const mixed = (url: string) => (url.includes("/entries/") ? lyingLog(url) : honestLog(url));
    expect(await findProblem(receipt, mixed)).toBe("leaves: leaf_not_in_log");
  });

  test("a checkpoint signed with another key is detected", async () => {
    expect(await findProblem(receipt, serve(entries, [otherLog]))).toBe("signature: key_unknown");
  });

  test("a signature over another text is detected", async () => {
    const forgedSigner = { key: signer.key, sign: otherLog.sign };
    expect(await findProblem(receipt, serve(entries, [forgedSigner]))).toBe(
      "signature: signature_wrong",
    );
  });

  test("a log that shrank is detected, and the stored checkpoint stays", async () => {
    await check(receipt);
    const before = storedCheckpoint;
    expect(await findProblem(receipt, serve(entries.slice(0, -5)))).toBe("memory: log_shrunk");
    expect(storedCheckpoint).toEqual(before);
  });

  test("a rewritten log is detected, at the same size and grown", async () => {
    await check(receipt);
    expect(await findProblem(receipt, serve(alterLeaf(5)))).toBe("memory: log_changed");
    const grownLog = [...alterLeaf(5), ...entries.slice(0, 40)];
    expect(await findProblem(receipt, serve(grownLog))).toBe("memory: log_changed");
  });

  test("a log that grew consistently is followed", async () => {
    await check(receipt, serve(entries.slice(0, 200)));
    const { log } = await check(receipt);
    expect(log?.finding).toBe("grown");
    expect(storedCheckpoint?.size).toBe(entries.length);
  });

  test("an overtaken check does not overwrite a newer stored checkpoint", async () => {
    const small = serve(entries.slice(0, 200));
    const slowCheck = check(receipt, async (url) => {
      const answer = await small(url);
      if (url.endsWith("/checkpoint")) await check(receipt);
      return answer;
    });
    await slowCheck;
    expect(storedCheckpoint?.size).toBe(entries.length);
  });

  test("a key replaced without the old one's signature is detected", async () => {
    await check(receipt);
    const vkeys = [encodeVkey(otherLog.key), vectors.vkey];
    expect(await findProblem(receipt, serve(entries, [otherLog]), vkeys)).toBe(
      "memory: log_replaced",
    );
  });

  test("a new key signed by the old one is followed, and later trusted without the old one", async () => {
    await check(receipt);
    const vkeys = [encodeVkey(otherLog.key), vectors.vkey];
    expect(await findProblem(receipt, serve(entries, [otherLog, signer]), vkeys)).toBeNull();
    expect(await findProblem(receipt, serve(entries, [otherLog]), vkeys)).toBeNull();
  });

  test("keys that were changed between two visits are followed by their handovers", async () => {
    await check(receipt);
    const names = [signer, otherLog, latest].map(({ key }) => encodeVkey(key));
    const handover = (from: number, to: number, by: (typeof signer)[]) =>
      signHandover({ origin, from: names[from]!, to: names[to]! }, by);
    const serveHandovers = (handovers: string[]) => async (url: string) =>
      url.endsWith("/handovers") ? Response.json(handovers) : await serve(entries, [latest])(url);
    const chain = [handover(0, 1, [signer, otherLog]), handover(1, 2, [otherLog, latest])];
    const vkeys = names.toReversed();
    for (const wrongChain of [[], chain.slice(1), [chain[0]!, handover(1, 2, [latest])]])
      expect(await findProblem(receipt, serveHandovers(wrongChain), vkeys)).toBe(
        "memory: log_replaced",
      );
    expect(await findProblem(receipt, serveHandovers(chain), vkeys)).toBeNull();
    expect(storedCheckpoint?.vkeys.toSorted()).toEqual(names.toSorted());
    expect(await findProblem(receipt, serve(entries, [latest]), vkeys)).toBeNull();
  });

  test("an unreadable log is not reported as a fault of the receipt", async () => {
    const failingFetch = () => Promise.reject(new TypeError("no network"));
    await expect(check(receipt, failingFetch)).rejects.toThrow(LogReadError);
    const honestLog = serve(entries);
    const truncatedLog = async (url: string) =>
      url.includes("/entries/") ? new Response(new Uint8Array(3)) : await honestLog(url);
    await expect(check(receipt, truncatedLog)).rejects.toMatchObject({ problem: "log_malformed" });
  });
});

describe("earlier receipts", () => {
  const { compared } = JSON.parse(
    readFileSync(new URL("../../../docs/formats/vectors/comparison.json", import.meta.url), "utf8"),
  ) as {
    compared: { name: string; entries: string[]; receipts: unknown[]; difference: string | null }[];
  };

  test.each(compared)("$name: $difference", async ({ entries: log, receipts, difference }) => {
    storedCheckpoint = null;
    let knownFacts = createShownFacts();
    const shownStore = {
      read: () => knownFacts,
      write: (_: string, next: ShownFacts) => {
        knownFacts = next;
      },
    };
    const earlierReceipts = createEarlierReceipts(shownStore);
    const reader = createLogReader("/log", serve(log.map((hex) => hexToBytes(hex))));
    const servedLog = { origin, vkeys: [vectors.vkey] };
    for (const [index, receipt] of receipts.entries()) {
      const kind = findReceiptKind(receipt)!;
      const before = knownFacts;
      const deps = {
        reader,
        servedLog,
        store,
        witnessKeys: [],
        verify,
        nowMs: 0,
        earlier: earlierReceipts,
      };
      const { ok, steps } = await checkAgainstLog(kind, receipt, deps);
      const expected = index === receipts.length - 1 ? difference : null;
      expect(steps.at(-1)).toMatchObject({ step: "compared", mismatch: expected });
      expect(ok).toBe(expected === null);
      if (expected !== null) expect(knownFacts).toBe(before);
    }
  });
});

describe("logged prices", () => {
  const open = async () => {
    const result = await openLog(
      createLogReader("/log", serve(entries)),
      origin,
      [vectors.vkey],
      verify,
    );
    if (!result.ok) throw new Error(result.error);
    return result.view;
  };
  const startMs = 1_767_571_200_000;
  const findLogged = async (second: number) =>
    (await findSecond(await open(), startMs + second * 1000))!;

  test("a second is found by its time, and its index is recomputed", async () => {
    const loggedSecond = await findLogged(250);
    expect(loggedSecond.second.secondMs).toBe(startMs + 250_000);
    expect(loggedSecond.recomputed).toEqual(loggedSecond.second.index);
  });

  test.each([-5, 40, 5_000])("second %i is not in the log", async (second) => {
    expect(await findSecond(await open(), startMs + second * 1000)).toBeNull();
  });

  test("pushed prices match their leaf, or the first difference is reported", async () => {
    const { leaf, second } = await findLogged(12);
    const text = String(second.index[0]);
    const price = `${text.slice(0, -2)}.${text.slice(-2)}`;
    const pushedPrices = { second_ms: second.secondMs, leaf, prices: { "BTC/USDT": price } };
    expect(await comparePrices(await open(), pushedPrices)).toBeNull();
    const wrongPrices = { ...pushedPrices, prices: { "BTC/USDT": "1.00" } };
    expect(await comparePrices(await open(), wrongPrices)).toMatchObject({
      symbol: "BTC/USDT",
      logged: price,
    });
    const shiftedPrices = { ...pushedPrices, second_ms: second.secondMs + 1000 };
    expect(await comparePrices(await open(), shiftedPrices)).toMatchObject({ logged: null });
  });
});
