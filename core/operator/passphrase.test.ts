import { describe, expect, test } from "vitest";
import { commonWords } from "#core/operator/commonWords.ts";
import { isCommonPassphrase, parsePassphrase } from "#core/operator/passphrase.ts";

describe("a passphrase has 12 to 128 code points of any kind", () => {
  test.each<[string, string, boolean]>([
    ["11 characters", "a".repeat(11), false],
    ["12 equal characters", "a".repeat(12), true],
    ["12 spaces", " ".repeat(12), true],
    ["128 characters", "a".repeat(128), true],
    ["129 characters", "a".repeat(129), false],
    ["12 characters outside the basic plane", "🔑".repeat(12), true],
    ["6 characters outside the basic plane, which are 12 UTF-16 units", "🔑".repeat(6), false],
    ["nothing", "", false],
  ])("%s", (_title, input, fits) => {
    expect(parsePassphrase(input) !== null).toBe(fits);
  });

  test("a passphrase is normalised to the same text from any keyboard", () => {
    const composed = "caf\u00e9 caf\u00e9 caf\u00e9";
    expect(parsePassphrase(composed.normalize("NFD"))).toBe(parsePassphrase(composed));
    expect(parsePassphrase("ｆｕｌｌｗｉｄｔｈ １２")).toBe("fullwidth 12");
  });
});

test.each([
  "password1234",
  "Password1234!",
  "P4$$w0rd2024",
  "passwordpassword",
  "123456789012",
  "111111111111",
  "qwertyuiop12",
  "qwertyuiopasdfghjkl",
  "1q2w3e1q2w3e1q2w3e",
  "iloveyou2024",
  "I love you forever",
  "letmeinletmein",
  "administrator1",
  "welcome12345",
  "superman1234",
  "summer summer 2026",
  "abcabcabcabc",
  "            ",
  "------------",
  "Drydock2026!",
  "drydock operator",
  "practice platform 1",
  "bitcointothemoon",
  "correct horse battery staple",
])("%s is a common passphrase", (passphrase) => {
  expect(isCommonPassphrase(passphrase)).toBe(true);
});

test.each([
  "four words nobody guesses",
  "a passphrase of the crash trial",
  "kettle ochre 71 vane",
  "v9#Lw2!pQz7x",
  "über den Dächern von Uppsala",
  "password but with a cormorant in it",
  "四つの言葉は誰も当てない句です",
])("%s is not a common passphrase", (passphrase) => {
  expect(isCommonPassphrase(passphrase)).toBe(false);
});

test("pairs of common words exceed the 3 000 passphrases that ASVS asks for", () => {
  const words = [...commonWords];
  const pairs = words.flatMap((text) => words.map((otherWord) => text + otherWord));
  const long = new Set(pairs.filter((pair) => pair.length >= 12));
  expect(long.size).toBeGreaterThan(30_000);
  for (const pair of [...long].slice(0, 3_000)) expect(isCommonPassphrase(pair)).toBe(true);
});
