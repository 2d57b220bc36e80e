import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { privateKeyToAccount } from "viem/accounts";
import { injectWallet } from "./support/wallet.ts";

/**
 * Attacks by a stranger's link, a damaged browser or a lying wallet: the page keeps working and
 * says what is wrong.
 */
test.use({ actionTimeout: 10_000 });

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const paths = ["/home", "/business", "/verify", "/verify?part=log", "/wallet", "/ucenter"];
const hostile = `"><img src=x onerror="window.taken=1"><script>window.taken=1</script>`;

/** Expects the frame and a heading, and that nothing on the page was taken over or broken. */
async function expectIntact(page: Page) {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await expect(page.getByText("This screen stopped working")).toHaveCount(0);
  expect(await page.evaluate(() => "taken" in window)).toBe(false);
}

function collectFailures(page: Page): string[] {
  const failures: string[] = [];
  page.on("pageerror", (failure) => failures.push(String(failure)));
  return failures;
}

async function openSignIn(page: Page, path = "/ucenter") {
  await page.goto(path);
  await button(page, /^Sign in$/).click();
  await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
}

async function startPractice(page: Page) {
  await button(page, /^(Create a|Sign in with the) practice wallet/).click();
  await expect(page.getByText(/^User /)).toBeVisible();
}

test("hostile text in an invitation does not run or block signing in", async ({ page }) => {
  const failures = collectFailures(page);
  await openSignIn(page, `/ucenter?invite=${encodeURIComponent(`😀${hostile}`)}`);
  await startPractice(page);
  await expectIntact(page);
  await page.goto(`/home?invite=${"%00".repeat(50)}&invite=%ED%A0%80`);
  await expectIntact(page);
  expect(failures).toEqual([]);
});

test("an order id with hostile text or of another person gets an error message", async ({
  page,
}) => {
  const failures = collectFailures(page);
  await openSignIn(page);
  await startPractice(page);
  const ids = [hostile, "../../../etc/passwd", "%00", "x".repeat(3000), "__proto__"];
  ids.push("01890a5d-ac96-774b-bcce-b302099a8057");
  for (const id of ids) {
    await page.goto(`/verify?order_id=${encodeURIComponent(id)}`);
    await expect(page.getByRole("alert")).toBeVisible();
    await expectIntact(page);
  }
  expect(failures).toEqual([]);
});

test("a pasted receipt with any content is refused with a message", async ({ page }) => {
  const failures = collectFailures(page);
  const format = "drydock.receipt.contract/1";
  const text = (value: unknown) => JSON.stringify(value);
  const world = { origin: hostile, vkey: hostile };
  const pasted = [
    hostile,
    `{"__proto__":{"format":"${format}"},"constructor":{"prototype":{}}}`,
    text({ format: hostile }),
    text({ format: { toString: 1 } }),
    text({ format, order: null, log: world, result: [], terms: 5 }),
    text({ format, window_leaves: [0, 9_007_199_254_740_991] }),
    `{"format":"${format}","order":${'{"a":'.repeat(20_000)}1${"}".repeat(20_001)}`,
    `{"a":"${"x".repeat(300_000)}"}`,
  ];
  await page.goto("/verify");
  for (const item of pasted) {
    await page.getByLabel("Or paste the receipt").fill(item);
    await button(page, /^Check/).click();
    await expect(
      page
        .getByText(/isn’t a receipt|can’t read this receipt|too large|format|doesn’t agree/i)
        .first(),
    ).toBeVisible();
    await expectIntact(page);
    const nextReceipt = button(page, "Check another receipt");
    if (await nextReceipt.isVisible()) await nextReceipt.click();
  }
  expect(failures).toEqual([]);
});

const keys = [
  "language",
  "drydock.theme",
  "drydock.habit",
  "drydock.wallet",
  "drydock.practice",
  "drydock.practice.backed_up",
  "drydock.log",
  "drydock.chart.interval",
  "drydock.chart.indicators",
  "drydock.withdrawal_questions",
  "drydock.read_news",
];

async function damageStorage(context: BrowserContext, value: string) {
  await context.addInitScript(
    ([names, text]) => {
      for (const name of names) localStorage.setItem(name, text);
      sessionStorage.setItem("drydock.invite", text);
    },
    [keys, value] as const,
  );
}

const log = { origin: "x", vkeys: ["x"], size: -1, root: "0".repeat(64) };
for (const [title, value] of [
  ["text", hostile],
  ["prototype names", "__proto__"],
  ["wrong types", `{"length":1e9,"vkeys":{},"size":"1"}`],
  ["a log that never was", JSON.stringify(log)],
  ["a list without end", JSON.stringify(Array.from({ length: 5000 }, () => "MACD"))],
] as const) {
  test(`storage damaged with ${title} breaks no screen`, async ({ page, context }) => {
    const failures = collectFailures(page);
    await damageStorage(context, value);
    for (const path of paths) {
      await page.goto(path);
      await expectIntact(page);
    }
    await openSignIn(page);
    await expect(
      page.getByText("this browser’s practice wallet. Restore it from its backup"),
    ).toBeVisible();
    await startPractice(page);
    expect(failures).toEqual([]);
  });
}

test("a damaged stored checkpoint does not break the checks", async ({ page, baseURL }) => {
  const state = await (await fetch(`${baseURL}/api/log/getState`)).json();
  const { origin, keys: servedKeys } = state.data;
  const vkeys = servedKeys.map(({ vkey }: { vkey: string }) => vkey);
  await page.addInitScript(
    (memory) => localStorage.setItem("drydock.log", memory),
    JSON.stringify({ ...log, origin, vkeys, seenMs: "x" }),
  );
  await page.goto("/verify?part=log");
  await expect(page.getByText(/first/i).first()).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a browser that denies all storage can sign in", async ({ page }) => {
  const failures = collectFailures(page);
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("refused", "SecurityError");
        },
      });
    }
  });
  for (const path of paths) {
    await page.goto(path);
    await expectIntact(page);
  }
  await openSignIn(page, "/ucenter?invite=HARBOUR7");
  await button(page, "Create a practice wallet").click();
  await expect(page.getByText("This browser doesn’t store anything")).toBeVisible();
  // A key that this browser does not store is backed up immediately.
  await button(page, "Later").click();
  await expect(page.getByText(/^User /)).toBeVisible();
  expect(failures).toEqual([]);
});

test("a wallet that lies, fails or hangs is reported without blocking others", async ({ page }) => {
  const failures = collectFailures(page);
  const otherAccount = privateKeyToAccount(`0x${"7".repeat(64)}`);
  const wallet = await injectWallet(page);
  wallet.answer("personal_sign", async ([rawMessage]) =>
    otherAccount.signMessage({ message: { raw: rawMessage as `0x${string}` } }),
  );
  await openSignIn(page);
  await button(page, "Test wallet").click();
  await button(page, "Sign in with Test wallet").click();
  await expect(page.getByRole("alert").first()).toContainText("signature");
  wallet.answer("personal_sign", async () => "yes");
  await button(page, "Get a new message").click();
  await button(page, "Sign in with Test wallet").click();
  await expect(page.getByText("can’t read the wallet’s answer")).toBeVisible();
  await button(page, "Choose another way").click();
  wallet.answer("eth_chainId", async () => "0xnonsense");
  await button(page, "Test wallet").click();
  await expect(page.getByText("can’t read the wallet’s answer")).toBeVisible();
  wallet.answer("eth_chainId", null);

  // The wallet accepts the request and never answers in time: the person chooses another way, and
  // the late answer signs no one in.
  let answerLate = async () => {};
  wallet.answer("personal_sign", ([rawMessage]) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    answerLate = async () => {
      resolve(await wallet.sign(rawMessage as `0x${string}`));
    };
    return promise;
  });
  await button(page, "Test wallet").click();
  await button(page, "Sign in with Test wallet").click();
  await expect(page.getByText("Now look at your wallet")).toBeVisible();
  await button(page, "Choose another way").click();
  const requestedUrls: string[] = [];
  page.on("request", (request) => requestedUrls.push(new URL(request.url()).pathname));
  await answerLate();
  await page.waitForTimeout(500);
  expect(requestedUrls).not.toContain("/api/user/create");
  wallet.answer("eth_requestAccounts", () => new Promise(() => {}));
  await button(page, "Test wallet").click();
  await expect(page.getByText("Waiting for your wallet.")).toBeVisible();
  await startPractice(page);
  await expectIntact(page);
  expect(failures).toEqual([]);
});
