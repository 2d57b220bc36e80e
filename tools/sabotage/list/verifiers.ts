import type { Sabotage } from "./sabotage.ts";

const falsifyReceipt = "verify/falsify.test.ts";
const falsifyLog = "verify/falsifyLog.test.ts";
const logVectors = "verify/vectors.test.ts";
const receiptVectors = "verify/receiptVectors.test.ts";
const receipt = "verify/contracts/receipt.ts";
const witness = "verify/witness/witness.ts";
const witnessTest = "verify/witness/witness.test.ts";
const alarmsTest = "verify/witness/alarms.test.ts";
const looksTest = "verify/witness/observe.test.ts";

/** The command-line verifier and the witness: each skipped check lets a falsification pass. */
export const verifierSabotages: readonly Sabotage[] = [
  {
    name: "verifier: a checkpoint's signature is not verified",
    file: "verify/log/note.ts",
    find: '      verifyEd25519(Buffer.from(checkpoint.text, "utf8"), signature, key.publicKey),',
    replace: "      signature.length === 64,",
    tests: [falsifyLog, logVectors],
  },
  {
    name: "verifier: a key need not be a point of the prime order",
    file: "verify/log/ed25519.ts",
    find: "if (!isPrimeOrder(publicKey) || !isPrimeOrder(r)) return false;",
    replace: "if (!isPrimeOrder(r)) return false;",
    tests: [logVectors],
  },
  {
    name: "verifier: a consistency proof need not lead to the old root",
    file: "verify/log/merkle.ts",
    find: "return sn === 0n && equalBytes(fr, firstRoot) && equalBytes(sr, secondRoot);",
    replace: "return sn === 0n && equalBytes(sr, secondRoot);",
    tests: [logVectors],
  },
  {
    name: "verifier: an entry is believed without its inclusion proof",
    file: "verify/log/logReader.ts",
    find: "if (!provesInclusion(index, size, hash, path, root)) return false;",
    replace: "if (path.length > 64) return false;",
    tests: [falsifyLog],
  },
  {
    name: "verifier: an order may be bound before it was accepted",
    file: "verify/log/binding.ts",
    find: `  if (boundSecond.secondMs < acceptance.atMs)
    throw new MismatchError(step, "bound_before_acceptance");
`,
    replace: "",
    tests: [falsifyReceipt, receiptVectors],
  },
  {
    name: "verifier: an order may be bound a second too late",
    file: "verify/log/binding.ts",
    find: "if (index < boundLeaf && second.secondMs > acceptance.atMs)",
    replace: "if (index < boundLeaf && second.secondMs > acceptance.atMs + 1_000)",
    tests: [falsifyReceipt, receiptVectors],
  },
  {
    name: "verifier: the order's hash need not be in the root",
    file: "verify/log/binding.ts",
    find: "  if (!provesInclusion(index, count, leafHash(hash), steps, ordersTree.root))",
    replace: "  if (index >= count)",
    tests: [falsifyReceipt, receiptVectors],
  },
  {
    name: "verifier: terms may be published after the order",
    file: receipt,
    find: "  if (receipt.terms_leaf >= receipt.bound_leaf)",
    replace: "  if (receipt.terms_leaf < 0)",
    tests: [falsifyReceipt, receiptVectors],
  },
  {
    name: "verifier: seconds may go back",
    file: receipt,
    find: "if (leaf !== index && next.secondMs <= ms)",
    replace: "if (leaf !== index && read.secondMs < ms - 1e15)",
    tests: [falsifyReceipt, receiptVectors],
  },
  {
    name: "verifier: the index need not follow from the quotes",
    file: receipt,
    find: "    if (computedIndex !== column.index) {",
    replace: "    if (computedIndex !== column.index && computedIndex === -1n) {",
    tests: [falsifyLog],
  },
  {
    name: "verifier: a void order may name any reason",
    file: receipt,
    find: `    receipt.result.void_reason,
    outcome.outcome === "void" ? voidReason : null,`,
    replace: `    receipt.result.void_reason,
    outcome.outcome === "void" ? receipt.result.void_reason : null,
    `,
    tests: [falsifyReceipt, receiptVectors],
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
    tests: [falsifyLog],
  },
  {
    name: "verifier: anybody may say which log succeeds",
    file: "verify/log/succession.ts",
    find: "if (!known.vkeys.some((vkey) => isSignedBy(note, parseVerifierKey(vkey))))",
    replace: "if (known.vkeys.length === 0)",
    tests: [logVectors],
  },
  {
    name: "verifier: a succession may hide leaves that were seen",
    file: "verify/log/succession.ts",
    find: "if (known.size > ended.size)",
    replace: "if (known.size < 0)",
    tests: [logVectors],
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
    find: "    await this.#requireShown(reader, note);\n",
    replace: "",
    tests: [alarmsTest],
  },
  {
    name: "verifier: a new key needs no signature of the old one",
    file: "verify/log/checkpointStore.ts",
    find: "if (signer !== undefined) return signer;",
    replace: "if (trusted !== '') return trusted;",
    tests: [falsifyLog],
  },
  {
    name: "verifier: a handover needs no signature of the older key",
    file: "verify/log/handover.ts",
    find: "const signers = [handover.from, handover.to]",
    replace: "const signers = [handover.to]",
    tests: ["verify/log/handover.test.ts"],
  },
  {
    name: "browser: a handover needs no signature of the older key",
    file: "core/transparency-log/handover.ts",
    find: "return [from, to].every(",
    replace: "return [to, to || from].every(",
    tests: ["core/transparency-log/handover.test.ts"],
  },
  {
    name: "verifier: an account may have two pasts",
    file: "verify/records/comparison.ts",
    find: "knownFacts.facts[subject] === value) continue;",
    replace: "knownFacts.facts[subject] === value || subject.startsWith('state')) continue;",
    tests: ["verify/comparison.test.ts"],
  },
  {
    name: "verifier: an account may fall back",
    file: "verify/records/comparison.ts",
    find: "leaf === later ? least !== position : least > position",
    replace: "leaf === later && least !== position",
    tests: ["verify/comparison.test.ts"],
  },
  {
    name: "browser: an account may have two pasts",
    file: "core/records/shownFacts.ts",
    find: "if ((knownFacts.facts.get(subject) ?? value) === value) continue;",
    replace:
      "if ((knownFacts.facts.get(subject) ?? value) === value || subject.startsWith('state')) continue;",
    tests: ["core/records/shownFacts.test.ts"],
  },
  {
    name: "verifier: a promise may be dated as late as suits",
    file: "verify/log/acknowledgement.ts",
    find: "if (seconds > 5)",
    replace: "if (seconds > 500)",
    tests: [receiptVectors],
  },
  {
    name: "browser: a promise may be dated as late as suits",
    file: "core/transparency-log/acknowledgement.ts",
    find: "acceptedAtMs > sentAtMs + transitMaxMs * speed",
    replace: "acceptedAtMs > sentAtMs + 100 * transitMaxMs * speed",
    tests: ["web/features/receipt/acknowledgement/checkKeptAcknowledgement.test.ts"],
  },
  {
    name: "verifier: a network's seed leads nowhere",
    file: "verify/mining/network.ts",
    find: "if (!equalBytes(value, lastReveal.value))",
    replace: "if (value.length !== 32)",
    tests: ["verify/mining/network.test.ts"],
  },
  {
    name: "browser: a network's seed leads nowhere",
    file: "core/mining/seedReveals.ts",
    find: "return equalBytes(value, earlierSeed);",
    replace: "return value.length === earlierSeed.length;",
    tests: ["web/features/receipt/kinds/ownKinds.test.ts"],
  },
  {
    name: "verifier: the house may owe another sum than people hold",
    file: "verify/log/liabilities.ts",
    find: "if (sum < 0n || sum + (owedByHouse[coin] as bigint) !== 0n) throw",
    replace: "if (sum < 0n || (owedByHouse[coin] as bigint) > 0n) throw",
    tests: [logVectors],
  },
  {
    name: "witness: a log that forked is cosigned",
    file: "verify/witness/tree.ts",
    find: "return provesConsistency(oldSize, checkpoint.size, root, checkpoint.root, proof);",
    replace: "return provesConsistency(oldSize, oldSize, root, root, proof) || true;",
    tests: [witnessTest],
  },
  {
    name: "witness: another tree than the public one is cosigned",
    file: witness,
    find: "        await this.#requirePublicView(checkpoint, submitted, observed);\n",
    replace: "",
    tests: [alarmsTest],
  },
  {
    name: "witness: answers before the cosignature is stored",
    file: witness,
    find: "      if (await this.#save({ cosigned }, observed)) return toTextAnswer(200, line);\n",
    replace:
      "      void this.#save({ cosigned }, observed).catch(() => {});\n      if (line) return toTextAnswer(200, line);\n",
    tests: [witnessTest],
  },
  {
    name: "witness: a request waits for a look",
    file: witness,
    find: "    return this.#requests.add(() => this.#addCheckpoint(body));",
    replace: "    return this.#looks.add(() => this.#addCheckpoint(body));",
    tests: [looksTest],
  },
  {
    name: "witness: what was cosigned during a look is not compared with it",
    file: witness,
    find: "    if (cosigned.size <= checkpoint.size)\n",
    replace: "    if (cosigned.size < 0)\n",
    tests: [looksTest],
  },
  {
    name: "witness: an alarm raised meanwhile does not stop a signature",
    file: witness,
    find: "if (alarm || (restsOn",
    replace: "if ((restsOn",
    tests: [looksTest],
  },
];
