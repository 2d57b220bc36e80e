import type { APIResponse, Browser, BrowserContext, Page } from "playwright";
import { newKey } from "#server/testing/client.ts";
import { acceptTerms, openSignIn, place, pressUp, settle, signIn } from "../browser/actions.ts";
import type { Translate } from "../browser/words.ts";

/** One pupil: a browser of their own, with a practice wallet in it. */
export interface Pupil {
  context: BrowserContext;
  orderIds: string[];
}

/** The outcome of a call: its data, or the name of its error. */
export interface Answer<Data> {
  error: string | null;
  data: Data;
}

async function answerOf<Data>(response: APIResponse): Promise<Answer<Data>> {
  const { code, error, data } = (await response.json()) as {
    code: number;
    error?: string;
    data: Data;
  };
  return { error: code === 1 ? null : (error ?? "unknown"), data };
}

/** A call with the pupil's own session. */
export async function callAs<Data>(
  { context }: Pupil,
  method: "GET" | "POST",
  path: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Answer<Data>> {
  if (method === "GET") {
    const query = new URLSearchParams(
      Object.entries(input).map(([key, one]) => [key, String(one)]),
    );
    return answerOf(await context.request.get(`${path}?${query}`));
  }
  const headers = { "idempotency-key": newKey(), "content-type": "application/json" };
  return answerOf(await context.request.post(path, { headers, data: input }));
}

/** How a class is joined: by its link, or by a code of one's own. */
export type JoinClass = (page: Page) => Promise<void>;

/** Opens a browser, joins the class and signs in with a new practice wallet. */
export async function openPupil(browser: Browser, url: string, join: JoinClass): Promise<Pupil> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await join(page);
  await page.close();
  return { context, orderIds: [] };
}

/** Joins by a class link: whoever opens it and signs in for the first time is in the class. */
export function joinByLink(code: string, say: Translate): JoinClass {
  return async (page) => {
    await page.goto(`/ucenter?invite=${code}`);
    await settle(page);
    await openSignIn(page, say);
    await signIn(page, say);
    await page
      .getByText(/^User /)
      .first()
      .waitFor();
  };
}

/**
 * Places an order on the screen, with the longest duration, and says before how sure they are;
 * `first`: accepts the practice terms on the way.
 */
export async function placeOrder(
  pupil: Pupil,
  contractId: string,
  say: Translate,
  { confidence, first }: { confidence: number; first: boolean },
): Promise<void> {
  const page = await pupil.context.newPage();
  page.setDefaultTimeout(90_000);
  await page.goto(`/business?contract_id=${contractId}`);
  await settle(page);
  const answer = page.waitForResponse(
    (response) => response.url().endsWith("/contractPlaceOrder") && response.status() === 200,
  );
  const stated = page.waitForResponse((response) => response.url().endsWith("/stateBelief"));
  await pressUp(page, say);
  if (first) await acceptTerms(page, say);
  await page.getByText(say("beliefs.ask"), { exact: true }).click();
  await page.getByRole("slider").fill(String(confidence));
  await place(page, say);
  const { data } = (await (await answer).json()) as { data: { order_id: string } };
  pupil.orderIds.push(data.order_id);
  await stated;
  await page.close();
}
