import { ed25519 } from "@noble/curves/ed25519.js";
import {
  checkpointText,
  encodeVkey,
  noteKey,
  signNote,
} from "#core/transparency-log/checkpoint.ts";
import { handoverText, signHandover } from "#core/transparency-log/handover.ts";
import { emptyRoot } from "#core/transparency-log/merkle.ts";

const origin = "drydock.invalid/handover/11111111";

/** Secrets for vectors only; they are public. */
function createSigner(byte: number, name = origin) {
  const secret = new Uint8Array(32).fill(byte);
  const key = noteKey(name, ed25519.getPublicKey(secret));
  const sign = (message: Uint8Array) => ed25519.sign(message, secret);
  return { key, sign, vkey: encodeVkey(key) };
}
type Signer = ReturnType<typeof createSigner>;

const [first, second, third, fourth] = [0x81, 0x82, 0x83, 0x84].map((byte) =>
  createSigner(byte),
) as [Signer, Signer, Signer, Signer];
const stranger = createSigner(0x91);

const checkpointBy = (...signers: Signer[]) =>
  signNote(checkpointText({ origin, size: 0, root: emptyRoot() }), signers);
const handover = (from: Signer, to: Signer, signers = [from, to]) =>
  signHandover({ origin, from: from.vkey, to: to.vkey }, signers);

const toSecond = handover(first, second);
const toThird = handover(second, third);
const toFourth = handover(third, fourth);

/** `handovers` is what /log/handovers serves; `followed` are the keys that they hand over to. */
const createFalsified = (
  name: string,
  trusted: Signer,
  { handovers, by, to }: { handovers: string[]; by: Signer[]; to: Signer[] },
) => ({
  name,
  trusted: [trusted.vkey],
  handovers,
  checkpoint: checkpointBy(...by),
  followed: [trusted, ...to].map(({ vkey }) => vkey),
});

const lie = (name: string, handovers: unknown, difference: string, by: Signer = third) => ({
  name,
  trusted: [first.vkey],
  handovers,
  checkpoint: checkpointBy(by),
  difference,
});

export function createHandoverVectors() {
  const all = [toSecond, toThird, toFourth];
  return {
    about:
      "Keys of a log that changed, as readers find it who knew an older one. The secrets are public: for tests only.",
    origin,
    cases: [
      createFalsified("one change, both keys sign", first, {
        handovers: [toSecond],
        by: [second, first],
        to: [second],
      }),
      createFalsified("one change, the new key alone signs", first, {
        handovers: [toSecond],
        by: [second],
        to: [second],
      }),
      createFalsified("two changes", first, {
        handovers: [toSecond, toThird],
        by: [third, second],
        to: [second, third],
      }),
      createFalsified("two changes, in another order", first, {
        handovers: [toThird, toSecond],
        by: [third],
        to: [second, third],
      }),
      createFalsified("three changes", first, {
        handovers: all,
        by: [fourth, third],
        to: [second, third, fourth],
      }),
      createFalsified("from a key in between", second, {
        handovers: all,
        by: [fourth, third],
        to: [third, fourth],
      }),
    ],
    falsified: [
      lie("no handover is served", [], "key_replaced", stranger),
      lie("a handover of others only", [toThird], "key_replaced"),
      lie("a handover to another key", [toSecond], "key_replaced", stranger),
      lie("the older key did not sign", [handover(first, second, [second])], "handover_unsigned"),
      lie("the newer key did not sign", [handover(first, second, [first])], "handover_unsigned"),
      lie("a stranger signed", [handover(first, second, [stranger, second])], "handover_unsigned"),
      lie(
        "the second of two is unsigned",
        [toSecond, handover(second, third, [third])],
        "handover_unsigned",
      ),
      lie(
        "one key hands over to two",
        [toSecond, handover(first, stranger), toThird],
        "handover_forked",
      ),
      lie("a key hands over to itself", [handover(first, first)], "handover_malformed"),
      lie(
        "of another log",
        [
          signNote(
            handoverText({
              origin: `${origin}0`,
              from: createSigner(0x81, `${origin}0`).vkey,
              to: createSigner(0x82, `${origin}0`).vkey,
            }),
            [first, second],
          ),
        ],
        "handover_malformed",
      ),
      lie("a checkpoint instead", [checkpointBy(first, second)], "handover_malformed"),
      lie("a further line", [toSecond.replace("\n\n", "\nmore\n\n")], "handover_malformed"),
      lie("no list", { notes: [toSecond] }, "handover_malformed"),
      lie(
        "more than 64",
        Array.from({ length: 65 }, () => toSecond),
        "handover_malformed",
      ),
    ],
  };
}
