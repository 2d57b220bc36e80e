import { beforeEach, expect, test, vi } from "vitest";

interface Chunk {
  loaded: Promise<never>;
  answer: (chunk: unknown) => void;
  fail: () => void;
}
/** The requested chunks, by name; the test resolves or rejects each. */
const chunks = new Map<string, Chunk>();
/** Like `import()`, which loads a chunk once. */
const chunk = (name: string) => () => {
  let chunk = chunks.get(name);
  if (!chunk) {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    chunk = {
      loaded: promise,
      answer: (content) => resolve(content as never),
      fail: () => reject(new Error(name)),
    };
    chunks.set(name, chunk);
  }
  return chunk.loaded;
};
vi.mock("virtual:catalogues", () => ({ default: { en: chunk("en"), de: chunk("de") } }));

let messages: typeof import("./load.ts");
const settled = () => new Promise((resolve) => setTimeout(resolve));
const texts = () => {
  const { locale, messages: all } = messages.messageStore.read();
  return [locale, ...Object.keys(all)];
};
function answerShell(locale: string) {
  chunks.get(locale)?.answer({
    default: { [`${locale}.shell`]: "text" },
    parts: { wallet: chunk(`${locale}/wallet`), wide: chunk(`${locale}/wide`) },
  });
}
const answer = (name: string) => chunks.get(name)?.answer({ default: { [name]: "text" } });

beforeEach(async () => {
  vi.resetModules();
  chunks.clear();
  messages = await import("./load.ts");
  const languageShown = messages.showLanguage("en");
  answerShell("en");
  await languageShown;
});

test("messages that two callers request are on screen before either continues, even while others load", async () => {
  const order: string[] = [];
  void messages.loadMessages(["wallet"]).then(() => order.push("wallet"));
  for (const name of ["rail", "bar"])
    void messages.loadMessages(["wide"]).then(() => order.push(`${name}: ${texts().join()}`));
  await settled();
  answer("en/wide");
  await settled();
  expect(order).toEqual(["rail: en,en.shell,en/wide", "bar: en,en.shell,en/wide"]);
  answer("en/wallet");
  await settled();
  expect(order[2]).toBe("wallet");
  expect(texts()).toEqual(["en", "en.shell", "en/wide", "en/wallet"]);
});

test("messages that cannot be loaded reject their own callers only", async () => {
  const wallet = messages.loadMessages(["wallet"]).catch((error: Error) => error.message);
  await settled();
  chunks.get("en/wallet")?.fail();
  expect(await wallet).toBe("en/wallet");
  const wideRequest = messages.loadMessages(["wide"]);
  await settled();
  answer("en/wide");
  await wideRequest;
  expect(texts()).toEqual(["en", "en.shell", "en/wide"]);
});

test("a language chosen while messages load includes them once they are on screen", async () => {
  const wideRequest = messages.loadMessages(["wide"]);
  await settled();
  const germanShown = messages.showLanguage("de");
  answerShell("de");
  await germanShown;
  expect(texts()).toEqual(["de", "de.shell"]);
  answer("en/wide");
  await settled();
  answer("de/wide");
  await wideRequest;
  expect(texts()).toEqual(["de", "de.shell", "de/wide"]);
});
