import { type Browser, expect, type Page, test } from "@playwright/test";
import { loadTranslate } from "../tools/browser/words.ts";
import {
  deleteAccount,
  excludeUntilTomorrow,
  exportAll,
  getUserId,
} from "./support/accountDeletion.ts";
import { publish, signInFirstOperator, waitUntilIdle } from "./support/news.ts";
import {
  choosePicture,
  completeSignIn,
  drawDocument,
  fillForm,
  getMain,
  getSheet,
  openVisitor,
  press,
  readQrCode,
  saveAddress,
  takeLesson,
  withdraw,
} from "./support/peopleActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";
import {
  collectPageErrors,
  expectAccessible,
  expectLedgerAddsUp,
  getAvailable,
  openNewPerson,
} from "./support/walletActions.ts";

// World time runs sixty times as fast here: a verification is decided almost immediately, an order
// or a withdrawal is over in seconds.
let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer(1, { WORLD_SPEED: "60" });
});
test.afterAll(() => server?.stop());

const person = (browser: Browser) => openNewPerson(browser, server.url);
const closeContext = (page: Page) => page.context().close();

test("a picture that is not a specimen is refused before upload and not kept", async ({
  browser,
}) => {
  const page = await person(browser);
  const main = getMain(page);
  await page.goto("/real_name");
  await expect(main).toContainText("Before you give any site a real document");
  await drawDocument(page, "Passport", "Good");
  await getSheet(page).getByRole("button", { name: "Fill in the form" }).click();
  await press(page, "Next");
  await expect(main.getByText("Fill this in").first()).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await press(page, "Show document");
  await fillForm(page);
  const requestTexts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") requestTexts.push(request.url());
  });
  // A screenshot of this page stands in for someone's real document.
  await choosePicture(page, await page.screenshot());
  const alert = main.getByRole("alert");
  await expect(alert).toContainText("Refused before anything was sent");
  await expect(alert).toContainText("anyone can open accounts in your name");
  await press(page, "Send for review");
  await expect(page.getByText("Fill in everything")).toBeVisible();
  expect(requestTexts).toEqual([]);
  await expectAccessible(page);
  await page.goto("/real_name");
  await expect(main.getByText("No verifications yet")).toBeVisible();
  await closeContext(page);
});

const outcomes = [
  ["Passport", "Good", "Verified", /This unlocks nothing here/],
  ["Driving licence", "Unreadable", "Refused", /we can’t read the name and number/],
  ["Passport", "Expired", "Refused", /the document expired on/],
  ["Driving licence", "Different name", "Refused", /the document shows/],
  ["Resident ID", "Wrong check digit", "Refused", /the check digit of the number .* is wrong/],
] as const;

test("each specimen gets its outcome and reason, and a purge leaves only a receipt", async ({
  browser,
}) => {
  const page = await person(browser);
  const errors = collectPageErrors(page);
  const main = getMain(page);
  await page.goto("/real_name");
  for (const [type, kind, outcome, reason] of outcomes) {
    const picture = await drawDocument(page, type, kind);
    await fillForm(page);
    await choosePicture(page, picture);
    await expect(main.getByRole("img", { name: "The picture you chose" })).toBeVisible();
    await press(page, "Send for review");
    const steps = main.getByRole("listitem").filter({ hasText: outcome });
    await expect(steps.first()).toBeVisible();
    await expect(main).toContainText(reason);
    await expect(main).toContainText("What you could have noticed");
  }
  await expectAccessible(page);
  const storedPicture = main.getByRole("img", { name: "The picture we keep" });
  const address = (await storedPicture.getAttribute("src")) as string;
  expect((await page.request.get(address)).status()).toBe(200);
  await press(page, "Delete now");
  const receipt = main.getByRole("region", { name: "Deletion receipt" });
  await expect(receipt).toContainText(/SHA-256 of the picture/);
  await expect(storedPicture).toBeHidden();
  expect((await page.request.get(address)).status()).toBe(410);
  await expectAccessible(page);
  // Verification is never a condition: a refused person can still withdraw.
  await page.goto("/wallet-info?coin=pUSDT&do=withdraw");
  await withdraw(page, "50");
  expect(errors).toEqual([]);
  await closeContext(page);
});

test("an invitation leads through question and lesson to the same reward on both sides", async ({
  browser,
}) => {
  const inviter = await person(browser);
  await inviter.goto("/share");
  const link = await getMain(inviter)
    .getByText(/\/home\?invite=/)
    .innerText();
  const downloadPromise = inviter.waitForEvent("download");
  await press(inviter, "Save picture");
  const picture = await downloadPromise;
  expect(picture.suggestedFilename()).toMatch(/^drydock-practice-\w{10}\.png$/);
  expect(await readQrCode(await picture.path())).toBe(link);
  await expectAccessible(inviter);

  const page = await openVisitor(browser, server.url);
  const errors = collectPageErrors(page);
  const main = getMain(page);
  await page.goto(link);
  await press(page, "Sign in");
  await completeSignIn(page);
  const question = page.getByRole("dialog", { name: "One question" });
  await expect(question).toContainText("Did someone you met online send you here?");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Yes, someone I met online" }).click();
  await expect(question).toContainText("Go slowly.");
  await question.getByRole("link", { name: "Take the first lesson" }).click();
  await takeLesson(page);
  await expect(main.getByText("Saved with today’s date.")).toBeVisible();
  await expectAccessible(page);
  for (const participant of [page, inviter]) {
    await expect.poll(() => getAvailable(participant, "pUSDT")).toBe("10100");
  }
  await page.goto("/uc-team");
  await main.getByLabel("Name shown to your inviter").fill("Robin");
  await press(page, "Save name");
  await expect(page.getByText("Name saved.")).toBeVisible();
  await inviter.goto("/uc-team");
  const row = getMain(inviter).getByText("Robin");
  await expect(row).toBeVisible();
  await expect(getMain(inviter)).toContainText(/\+100\.00/);
  // Only the person who gave the answer can see it.
  const notified = await inviter.request.get("/api/user/getTeamList");
  expect(await notified.text()).not.toContain('"answer"');
  await expectAccessible(inviter);
  await expectLedgerAddsUp(server.data);
  expect(errors).toEqual([]);

  await closeContext(inviter);
  await closeContext(page);
});

test("news in another language is labelled, and a dialog notice is shown once", async ({
  browser,
}) => {
  const operator = await signInFirstOperator(server);
  const text = { title: "The harbour is dredged", summary: "On Friday.", body: "## Why\n\nSilt." };
  const german = {
    ...text,
    title: "Der Hafen wird gebaggert",
    body: "<img src=x onerror=alert(1)>",
  };
  const post = await publish(operator, "news", { languages: { en: text, de: german } });
  const notice = { type: "dialog", severity: "plain", from_ms: null, until_ms: null };
  const words = { title: "Exercise today", text: "The class begins at ten." };
  const warning = await publish(operator, "notice", { ...notice, languages: { en: words } });

  const page = await openVisitor(browser, server.url);
  const errors = collectPageErrors(page);
  const main = getMain(page);
  const say = loadTranslate("ja");
  await page.addInitScript(() => localStorage.setItem("language", "ja"));
  await page.goto("/news-list");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(words.title);
  const languages = { wanted: "日本語", shown: "English" };
  await expect(dialog).toContainText(say("notices.otherLanguage", languages));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: say("notices.close") }).click();
  await expect(dialog).toBeHidden();
  const row = main.getByRole("link", { name: text.title });
  const unread = row.getByRole("img", { name: say("posts.unread") });
  await expect(unread).toBeVisible();
  await row.click();
  await expect(page).toHaveURL(new RegExp(post));
  await expect(main).toContainText(say("posts.otherLanguage", languages));
  await expect(main.locator("[lang=en-GB]").getByRole("heading", { name: "Why" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/news-list");
  await expect(row).toBeVisible();
  await expect(unread).toHaveCount(0);
  await expect(dialog).toHaveCount(0);

  // A post in the reader's own language carries no language note, and HTML in it stays text.
  await page.addInitScript(() => localStorage.setItem("language", "de"));
  await page.goto(`/news-list?post_id=${post}`);
  await expect(main).toContainText("<img src=x onerror=alert(1)>");
  await expect(main.getByRole("heading", { name: german.title })).toBeVisible();
  await expect(main.getByText("English")).toHaveCount(0);
  await expect(dialog).toHaveCount(0);
  expect(errors).toEqual([]);
  await closeContext(page);

  await waitUntilIdle(browser, server.url);
  await operator("POST", "/api/operator/publishing/notice/withdraw", { id: warning, revision: 3 });
  // A job unpublishes it; wait, or it disturbs the next tests.
  const find = `${server.url}/api/index/findNotice?type=dialog`;
  const standing = async () => (await (await fetch(find)).json()).data.notice;
  await expect.poll(standing).toBeNull();
});

test("an exclusion persists, the export is complete, and a deleted account is gone", async ({
  browser,
}) => {
  const page = await person(browser);
  const errors = collectPageErrors(page);
  const main = getMain(page);
  const text = "Aunt at the lighthouse";
  await page.goto("/wallet-info?coin=pUSDT&do=withdraw");
  await saveAddress(page, text);
  await excludeUntilTomorrow(page);
  const files = await exportAll(page);
  expect(files["README.txt"]).toContain("Practice money only: nothing backs it");
  expect(files["about.json"]).toContain('"practice": true');
  expect(files["postings.csv"]).toMatch(
    /10000.*practice, backed by nothing|practice, backed by nothing.*10000/,
  );
  expect(files["account.json"]).toMatch(/0x[0-9a-fA-F]{40}/);
  expect(files["address_book.json"]).toContain(text);
  expect(files["contracts.json"]).toMatch(/exclu/);
  for (const name of ["wallet", "identity", "invites", "lesson", "news", "console"]) {
    expect(files[`${name}.json`], name).toContain('"practice": true');
  }

  const userIdBefore = await getUserId(page);
  const receipt = await deleteAccount(page);
  await expect(main.getByText("You’re not signed in")).toBeVisible();
  const response = await page.request.get(`/api/user/getDeletionReceipt?receipt_id=${receipt}`);
  expect(await response.text()).toContain(receipt);

  await press(page, "Sign in");
  await completeSignIn(page);
  await expect(main.getByText(/^User /)).toBeVisible();
  expect(await getUserId(page)).not.toBe(userIdBefore);
  expect(await getAvailable(page, "pUSDT")).toBe("10000");
  await expect(main.getByRole("button", { name: /Your limits/ })).toContainText("Excluded until");
  await page.goto("/wallet-info?coin=pUSDT&do=withdraw");
  await press(page, "Address book");
  await expect(getSheet(page).getByRole("button", { name: "Add address" })).toBeVisible();
  await expect(getSheet(page)).not.toContainText(text);
  await expectLedgerAddsUp(server.data);
  expect(errors).toEqual([]);
  await closeContext(page);
});
