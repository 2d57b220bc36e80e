import fc from "fast-check";
import { recoverMessageAddress } from "viem";
import { expect, test } from "vitest";
import { parseBackup, writeBackup } from "#web/features/session/practice/backup.ts";
import { deriveWallet } from "#web/features/session/practice/key.ts";
import { createWalletSeed } from "#web/features/session/practice/seed.ts";

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("viem recovers a practice wallet's address from its signature", async () => {
  const wallet = deriveWallet(createWalletSeed());
  for (const text of ["Sign in", "naïve ¥", ""]) {
    const signature = wallet.sign(text) as `0x${string}`;
    expect(await recoverMessageAddress({ message: text, signature })).toBe(wallet.address);
  }
});

test("a backup yields the same seed from any copy of it", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const text = writeBackup(seed);
      for (const copy of [
        text,
        text.toUpperCase(),
        ` ${text.replaceAll("-", " - ")}\n`,
        `My backup: ${text}`,
      ]) {
        const result = parseBackup(copy.replace(/^My backup: /, "see "));
        if (!result.ok || result.seed.some((byte, index) => byte !== seed[index])) return false;
      }
      return true;
    }),
  );
});

test("a backup with one wrong letter is refused", () => {
  const letters = "0123456789abcdefghjkmnpqrstvwxyz";
  fc.assert(
    fc.property(seeds, fc.nat(57), fc.nat(30), (seed, index, step) => {
      const text = writeBackup(seed);
      const body = text.slice(19).replaceAll("-", "");
      const letterIndex = letters.indexOf(body[index] as string);
      const alteredBody =
        body.slice(0, index) + letters[(letterIndex + 1 + step) % 32] + body.slice(index + 1);
      return !parseBackup(`drydock-practice-1:${alteredBody}`).ok;
    }),
  );
});

test.each([
  ["", "not_ours"],
  ["abandon abandon abandon ability", "not_ours"],
  [`0x${"11".repeat(32)}`, "not_ours"],
  ["drydock-practice-2:00000", "not_ours"],
  ["drydock-practice-1:00000-00000", "incomplete"],
  [`drydock-practice-1:${"u".repeat(58)}`, "checksum"],
  [`drydock-practice-1:${"z".repeat(58)}`, "checksum"],
])("%s is not a backup: %s", (text, fault) => {
  expect(parseBackup(text)).toEqual({ ok: false, error: fault });
});

test("a backup contains neither the private key nor anything that a wallet would import", () => {
  const seed = createWalletSeed();
  const text = writeBackup(seed);
  expect(text).toMatch(/^drydock-practice-1:(?:[0-9a-z]{5}-){11}[0-9a-z]{3}$/);
  const asKey = deriveWallet(seed).address;
  // The seed itself used as a key yields a different address.
  return import("viem/accounts").then(({ privateKeyToAddress }) => {
    const hex = Buffer.from(seed).toString("hex");
    expect(privateKeyToAddress(`0x${hex}`)).not.toBe(asKey);
  });
});
