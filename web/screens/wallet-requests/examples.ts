const contract = `0x${"11".repeat(20)}`;
const stranger = `0x${"22".repeat(20)}`;
const word = (hex: string) => hex.padStart(64, "0");

/**
 * Examples to try the reader with, as wallets show them under "data" or "details". Invented: the
 * addresses are no one's.
 */
export const examples = {
  endless: {
    to: contract,
    value: "0x0",
    data: `0x095ea7b3${word(stranger.slice(2))}${"f".repeat(64)}`,
  },
  permit: {
    primaryType: "Permit",
    domain: { name: "Example token", verifyingContract: contract },
    message: { spender: stranger, value: `${(1n << 256n) - 1n}`, deadline: "9999999999" },
  },
  ownership: { to: contract, value: "0x0", data: `0xf2fde38b${word(stranger.slice(2))}` },
  message: { method: "personal_sign", params: ["Hello", stranger] },
} as const;

export type ExampleName = keyof typeof examples;
