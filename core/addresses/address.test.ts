import { bech32, bech32m } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  deriveAddress,
  deriveOutsideAddress,
  encodeAddress,
  parseAddress,
} from "#core/addresses/address.ts";
import { isCarriedBy, isNetwork, listNetworks, networkNames } from "#core/wallet/networks.ts";

test.each([
  ["pUSDT", ["peth", "ptron"]],
  ["pUSDC", ["peth"]],
  ["pBTC", ["pbtc"]],
  ["pETH", ["peth"]],
] as const)("%s is carried by %j", (coin, expected) => {
  expect(listNetworks(coin)).toEqual(expected);
  expect(networkNames.filter((network) => isCarriedBy(network, coin))).toEqual(expected);
});

test.each(["eth", "PETH", "bc", "", "toString", "__proto__"])("isNetwork rejects %j", (name) => {
  expect(isNetwork(name)).toBe(false);
});

test.each([
  ["peth", "peth125ffwcujq29uevrnz3d8zjaenysp3wgsly2krs"],
  ["ptron", "ptron1e4qvkm7kyemrdhcnajcc4eau5c2m00p4pqvvqw"],
  ["pbtc", "pbtc1e9qvh4c3p2d9px05nrnes5cc5c3m9dnc936ktx"],
] as const)("user-1 in world harbour keeps its %s address across versions", (network, expected) => {
  expect(deriveAddress("harbour", "user-1", network)).toBe(expected);
});

test.each([
  ["peth", "peth1lywfw5uxxqtl5gttdra9nn4s92yh5p5wzclg35"],
  ["ptron", "ptron1ekmx3z6fpzrm0tsrjhrm7aqfu8ulgx2y27fs82"],
  ["pbtc", "pbtc1wtw3sz0aht6gpxz4d7n0jna2nnvj73y9w5w9ju"],
] as const)("user-1 keeps its outside %s address across versions", (network, expected) => {
  expect(deriveOutsideAddress("harbour", "user-1", network)).toBe(expected);
});

/** BIP-350, "Test vectors for Bech32m": valid and invalid strings. */
describe("bech32m test vectors of BIP-350", () => {
  test.each([
    "A1LQFN3A",
    "a1lqfn3a",
    "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
    "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
    "11llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllludsr8",
    "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
    "?1v759aa",
  ])("%s is valid", (text) => {
    expect(bech32m.decodeUnsafe(text as `${string}1${string}`)).toBeDefined();
  });

  test.each([
    "\u00201xj0phk",
    "\u007f1g6xzxy",
    "\u00801vctc34",
    "an84characterslonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11d6pts4",
    "qyrz8wqd2c9m",
    "1qyrz8wqd2c9m",
    "y1b0jsk6g",
    "lt1igcx5c0",
    "in1muywd",
    "mm1crxm3i",
    "au1s5cgom",
    "M1VUXWEZ",
    "16plkw9",
    "1p2gdwpf",
  ])("%j is invalid", (text) => {
    expect(bech32m.decodeUnsafe(text as `${string}1${string}`)).toBeUndefined();
    expect(parseAddress(text).ok).toBe(false);
  });
});

const bytes = new Uint8Array(20).fill(7);
const validAddress = encodeAddress("peth", bytes);

describe("parseAddress", () => {
  test.each([
    ["lower case", validAddress],
    ["capitals", validAddress.toUpperCase()],
  ])("an address in %s is accepted and normalised to lower case", (_title, text) => {
    expect(parseAddress(text)).toEqual({ ok: true, network: "peth", address: validAddress });
  });

  test.each([
    ["nothing", "", "empty"],
    ["mixed case", validAddress.slice(0, -1) + validAddress.slice(-1).toUpperCase(), "malformed"],
    ["an upper-case prefix", `PETH1${validAddress.slice(5)}`, "malformed"],
    ["a space before", ` ${validAddress}`, "malformed"],
    ["a line break after", `${validAddress}\n`, "malformed"],
    ["a space inside", `${validAddress.slice(0, 9)} ${validAddress.slice(9)}`, "malformed"],
    ["a Cyrillic е", validAddress.replace("peth", "pеth"), "malformed"],
    ["full-width letters", validAddress.replace("peth", "ｐｅｔｈ"), "malformed"],
    ["a prefix alone", "peth1", "malformed"],
    ["no separator", "hello", "malformed"],
    ["a character bech32 lacks", validAddress.replace(/.$/, "b"), "malformed"],
    ["19 bytes", bech32m.encode("peth", bech32m.toWords(bytes.slice(1))), "malformed"],
    ["32 bytes", bech32m.encode("peth", bech32m.toWords(new Uint8Array(32))), "malformed"],
    ["a thousand characters", validAddress.repeat(25), "malformed"],
    [
      "one character changed",
      validAddress.replace(/.$/, validAddress.endsWith("q") ? "p" : "q"),
      "checksum",
    ],
    [
      "a bech32 checksum instead of bech32m",
      bech32.encode("peth", bech32.toWords(bytes)),
      "checksum",
    ],
    ["the prefix of another network", `pbtc1${validAddress.slice(5)}`, "checksum"],
    ["an unknown prefix", bech32m.encode("psol", bech32m.toWords(bytes)), "network_unknown"],
    [
      "an unknown prefix with a bech32 checksum",
      bech32.encode("psol", bech32.toWords(bytes)),
      "network_unknown",
    ],
  ] as const)("%s is refused", (_title, text, reason) => {
    expect(parseAddress(text)).toEqual({ ok: false, error: reason });
  });

  test.each([
    ["Ethereum", `0x${"52908400098527886E0F7030069857D2E4169EE7"}`],
    ["Ethereum", "harbour.eth"],
    ["Sui / Aptos", `0x${"ab".repeat(32)}`],
    ["Bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["Bitcoin", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"],
    ["Bitcoin", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"],
    ["Bitcoin", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    ["Bitcoin", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
    ["Bitcoin", "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    ["Litecoin", "ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea"],
    ["Litecoin", "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9"],
    ["Dogecoin", "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L"],
    ["Tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
    ["XRP Ledger", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
    ["Solana", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
    ["Cosmos", "cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq"],
    ["Cardano", "addr1vpu5vlrf4xkxv2qpwngf6cjhtw542ayty80v8dyr49rf5eg0yu80w"],
    ["BNB Beacon Chain", "bnb1grpf0955h0ykzq3ar5nmum7y6gdfl6lxfn46h2"],
    ["TON", "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2"],
    ["Stellar", `G${"A".repeat(55)}`],
  ])("a real address of %s is refused with its chain: %s", (chain, text) => {
    expect(parseAddress(text)).toEqual({ ok: false, error: "real_chain", chain });
  });

  test("every encoded address parses and is not mistaken for a real chain's", () => {
    const payload = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...networkNames), payload, (network, payloadBytes) => {
        const address = encodeAddress(network, payloadBytes);
        expect(parseAddress(address)).toEqual({ ok: true, network, address });
      }),
    );
  });

  test("changing one or two characters never yields another valid address", () => {
    const position = fc.integer({ min: 5, max: validAddress.length - 1 });
    const letter = fc.constantFrom(..."qpzry9x8gf2tvdw0s3jn54khce6mua7l".split(""));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(position, letter), { minLength: 1, maxLength: 2 }),
        (changes) => {
          const letters = validAddress.split("");
          for (const [index, letter] of changes) letters[index] = letter;
          const text = letters.join("");
          if (text !== validAddress)
            expect(parseAddress(text)).toEqual({ ok: false, error: "checksum" });
        },
      ),
    );
  });

  test("arbitrary text never throws, and is accepted only in canonical form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const result = parseAddress(text);
        if (result.ok) expect(text.toLowerCase()).toBe(result.address);
      }),
    );
  });
});

test.each([0, 19, 21, 32])("a payload of %i bytes cannot be encoded", (length) => {
  expect(() => encodeAddress("peth", new Uint8Array(length))).toThrow(RangeError);
});
