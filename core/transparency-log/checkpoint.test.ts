import { ed25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { base64ToBytes, bytesToBase64 } from "#core/transparency-log/bytes.ts";
import {
  checkpointText,
  encodeVkey,
  noteKey,
  openCheckpoint,
  openNote,
  parseCheckpoint,
  parseVkey,
  signNote,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";

const verify: VerifyEd25519 = (signature, message, key) => ed25519.verify(signature, message, key);
const secret = new Uint8Array(32).fill(7);
const key = noteKey("example.com/harbour", ed25519.getPublicKey(secret));
const signer = { key, sign: (message: Uint8Array) => ed25519.sign(message, secret) };
const root = new Uint8Array(32).fill(9);
const note = signNote(checkpointText({ origin: key.name, size: 42, root }), [signer]);

/**
 * From the documentation of Go's golang.org/x/mod/sumdb/note, an independent implementation of
 * signed notes.
 */
const goVkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const goNote =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n" +
  "\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

describe("signed notes", () => {
  test("the example note of Go opens with its key", () => {
    const result = openNote(goNote, [parseVkey(goVkey)!], verify);
    expect(result.ok && result.signers[0]?.name).toBe("PeterNeumann");
    expect(encodeVkey(parseVkey(goVkey)!)).toBe(goVkey);
  });

  test("a checkpoint opens with its key and yields its size and root", () => {
    expect(openCheckpoint(note, key.name, [key], verify)).toEqual({
      ok: true,
      checkpoint: { origin: key.name, size: 42, root },
    });
  });

  const otherKey = noteKey(key.name, ed25519.getPublicKey(new Uint8Array(32).fill(8)));
  test.each([
    ["another size", note.replace("\n42\n", "\n43\n"), [key], "signature_wrong"],
    ["an unknown key", note, [otherKey], "key_unknown"],
    ["no signature", checkpointText({ origin: key.name, size: 42, root }), [key], "note_malformed"],
    ["a control character", note.replace("42", "42\t"), [key], "note_malformed"],
    ["a missing final newline", note.slice(0, -1), [key], "note_malformed"],
  ])("%s is refused with its error", (_what, text, keys, error) => {
    expect(openCheckpoint(text, key.name, keys, verify)).toEqual({ ok: false, error });
  });

  test("another origin is refused even with a good signature", () => {
    expect(openCheckpoint(note, "example.com/other", [key], verify)).toEqual({
      ok: false,
      error: "origin_wrong",
    });
  });

  test("signatures of unknown keys beside a known one are ignored", () => {
    const two = signNote(checkpointText({ origin: key.name, size: 1, root }), [
      { key: otherKey, sign: () => new Uint8Array(64) },
      signer,
    ]);
    expect(openCheckpoint(two, key.name, [key], verify).ok).toBe(true);
  });

  test.each([
    "x\n1\n",
    "\n1\nAAAA\n",
    "x\n01\nCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=\n",
    "x\n-1\nCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=\n",
    "x\n1\nCQkJ\n",
    "x\n1\nCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=",
  ])("%j is not a checkpoint", (text) => {
    expect(parseCheckpoint(text)).toBeNull();
  });

  test.each([
    goVkey.replace("c74f20a3", "c74f20a4"),
    goVkey.replace("ARpc", "AhpC"),
    "PeterNeumann+c74f20a3",
    "",
  ])("%j is not a verifier key", (text) => {
    expect(parseVkey(text)).toBeNull();
  });
});

describe("base64", () => {
  test("bytes survive a round trip and match Buffer's encoding", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(bytesToBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
        expect(base64ToBytes(bytesToBase64(bytes))).toEqual(bytes);
      }),
    );
  });
  test.each([
    "A",
    "AA",
    "AAA",
    "AB==",
    "AAB=",
    "A===",
    "AA=A",
    "A_==",
    "AA==\n",
  ])("%j is refused", (text) => {
    expect(base64ToBytes(text)).toBeNull();
  });
});
