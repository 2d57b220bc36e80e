import type { Sabotage } from "./sabotage.ts";

const falsify = "verify/falsify.test.ts";
const vectors = "verify/vectors.test.ts";
const receipt = "verify/contracts/receipt.ts";
const witness = "verify/witness/witness.ts";
const witnessTest = "verify/witness/witness.test.ts";

/** The command line verifier and the witness: a check that they skip is a lie that they confirm. */
export const verifierSabotages: readonly Sabotage[] = [
  {
    name: "verifier: a checkpoint's signature is not verified",
    file: "verify/log/note.ts",
    find: '      verifyEd25519(Buffer.from(checkpoint.text, "utf8"), signature, key.publicKey),',
    replace: "      signature.length === 64,",
    tests: [falsify, vectors],
  },
  {
    name: "verifier: a key need not be a point of the prime order",
    file: "verify/log/ed25519.ts",
    find: "if (!isPrimeOrder(publicKey) || !isPrimeOrder(r)) return false;",
    replace: "if (!isPrimeOrder(r)) return false;",
    tests: [vectors],
  },
  {
    name: "verifier: a consistency proof need not lead to the old root",
    file: "verify/log/merkle.ts",
    find: "return sn === 0n && same(fr, firstRoot) && same(sr, secondRoot);",
    replace: "return sn === 0n && same(sr, secondRoot);",
    tests: [vectors],
  },
  {
    name: "verifier: an entry is believed without its inclusion proof",
    file: "verify/log/logReader.ts",
    find: "if (!provesInclusion(index, size, leafHash(entry), path, root)) {",
    replace: "if (path.length > 64) {",
    tests: [falsify],
  },
  {
    name: "verifier: an order may be bound before it was accepted",
    file: "verify/log/binding.ts",
    find: '  if (bound.secondMs < accepted.atMs) throw new MismatchError(step, "bound_before_acceptance");\n',
    replace: "",
    tests: [falsify, vectors],
  },
  {
    name: "verifier: an order may be bound a second too late",
    file: "verify/log/binding.ts",
    find: "if (index < at && read.secondMs > accepted.atMs)",
    replace: "if (index < at && read.secondMs > accepted.atMs + 1_000)",
    tests: [falsify, vectors],
  },
  {
    name: "verifier: the order's hash need not be in the root",
    file: "verify/log/binding.ts",
    find: "  if (!provesInclusion(index, count, leafHash(hash), steps, bound.root))",
    replace: "  if (index >= count)",
    tests: [falsify, vectors],
  },
  {
    name: "verifier: terms may be published after the order",
    file: receipt,
    find: "  if (receipt.terms_leaf >= receipt.bound_leaf)",
    replace: "  if (receipt.terms_leaf < 0)",
    tests: [falsify, vectors],
  },
  {
    name: "verifier: seconds may go back",
    file: receipt,
    find: "if (leaf !== index && read.secondMs <= ms)",
    replace: "if (leaf !== index && read.secondMs < ms - 1e15)",
    tests: [falsify, vectors],
  },
  {
    name: "verifier: the index need not follow from the quotes",
    file: receipt,
    find: "    if (found !== column.index) {",
    replace: "    if (found !== column.index && found === -1n) {",
    tests: [falsify],
  },
  {
    name: "verifier: a void order may name any reason",
    file: receipt,
    find: `    receipt.result.void_reason,
    found.outcome === "void" ? voidReason : null,`,
    replace: `    receipt.result.void_reason,
    found.outcome === "void" ? receipt.result.void_reason : null,
    `,
    tests: [falsify, vectors],
  },
  {
    name: "verifier: exactly 80 % of the samples are too few",
    file: "verify/contracts/settlement.ts",
    find: "if (samples.length * 100 < seconds * 80) return null;",
    replace: "if (samples.length * 100 <= seconds * 80) return null;",
    tests: ["verify/contracts/settlement.test.ts"],
  },
  {
    name: "verifier: another log at the same address goes unnoticed",
    file: "verify/log/checkpointStore.ts",
    find: "if (before !== checkpoint.origin)",
    replace: "if (before === '')",
    tests: [falsify],
  },
  {
    name: "verifier: anybody may say which log succeeds",
    file: "verify/log/succession.ts",
    find: "if (!known.vkeys.some((vkey) => isSignedBy(note, parseVerifierKey(vkey))))",
    replace: "if (known.vkeys.length === 0)",
    tests: ["verify/vectors.test.ts"],
  },
  {
    name: "verifier: a succession may hide leaves that were seen",
    file: "verify/log/succession.ts",
    find: "if (known.size > ended.size)",
    replace: "if (known.size < 0)",
    tests: ["verify/vectors.test.ts"],
  },
  {
    name: "browser: anybody may say which log succeeds",
    file: "core/transparency-log/successionLeaf.ts",
    find: "if (!openNote(note, keys, verify).ok) return",
    replace: "if (keys.length === 0) return",
    tests: ["web/features/receipt/succession.test.ts"],
  },
  {
    name: "browser: a successor may be signed by any listed key",
    file: "web/features/receipt/succession.ts",
    find: "if (!openNote(view.note, [key], verify).ok) return",
    replace: "if (key.name === '') return",
    tests: ["web/features/receipt/succession.test.ts"],
  },
  {
    name: "witness: what was submitted before it was shown is forgotten",
    file: "verify/witness/witness.ts",
    find: "    await this.#requireShown(checkpoint, note);\n",
    replace: "",
    tests: ["verify/witness/witness.test.ts"],
  },
  {
    name: "verifier: a new key needs no signature of the old one",
    file: "verify/log/checkpointStore.ts",
    find: "if (known.vkey !== vkey && !isSignedBy(checkpoint, parseVerifierKey(known.vkey))) {",
    replace: "if (known.vkey !== vkey && known.vkey === '') {",
    tests: [falsify],
  },
  {
    name: "verifier: the house may owe another sum than people hold",
    file: "verify/log/liabilities.ts",
    find: "if (sum < 0n || sum + (owed[at2] as bigint) !== 0n) throw",
    replace: "if (sum < 0n || (owed[at2] as bigint) > 0n) throw",
    tests: [vectors],
  },
  {
    name: "witness: a log that forked is cosigned",
    file: witness,
    find: "return provesConsistency(oldSize, checkpoint.size, root, checkpoint.root, proof);",
    replace: "return provesConsistency(oldSize, oldSize, root, root, proof) || true;",
    tests: [witnessTest],
  },
  {
    name: "witness: another tree than the public one is cosigned",
    file: witness,
    find: "      await this.#requirePublicView(checkpoint, request.note);\n",
    replace: "",
    tests: [witnessTest],
  },
  {
    name: "witness: answers before the cosignature is stored",
    file: witness,
    find: "    await this.#save({ cosigned: { ...treeOf(checkpoint), note: `${request.note}${line}` } });",
    replace:
      "    void this.#save({ cosigned: { ...treeOf(checkpoint), note: `${request.note}${line}` } }).catch(() => {});",
    tests: [witnessTest],
  },
];
