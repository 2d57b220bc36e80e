import type { APIResponse, Browser, BrowserContext, Page } from "playwright";
import { newKey } from "#server/testing/client.ts";
import { openSignIn, settle, signIn } from "../browser/actions.ts";
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

/** The duration of orders: fifteen seconds of real time at speed 60. */
const orderSeconds = 900;

/** Accepts the practice terms, as the first order on a screen asks for. */
export async function acceptTerms(pupil: Pupil): Promise<void> {
  const path = "/api/user/userinfo";
  const { data } = await callAs<{ terms: { current_version: number } }>(pupil, "POST", path);
  await callAs(pupil, "POST", "/api/user/authorize", { version: data.terms.current_version });
}

/**
 * Places an order with the session of the pupil's browser, on the longest duration, and says how
 * sure they are. Throws with the name of the error if either is refused.
 */
export async function placeOrder(
  pupil: Pupil,
  contractId: string,
  confidence: number,
): Promise<void> {
  const { data: details } = await callAs<{
    terms: { terms_hash: string };
    tiers: { seconds: number }[];
  }>(pupil, "GET", "/api/contract/getContractDetails", { contract_id: contractId });
  const { error, data } = await callAs<{ order_id: string }>(
    pupil,
    "POST",
    "/api/contract/contractPlaceOrder",
    {
      contract_id: contractId,
      terms_hash: details.terms.terms_hash,
      tier: orderSeconds,
      direction: confidence % 2 === 0 ? "up" : "down",
      stake: "20",
    },
  );
  if (error !== null) throw new Error(`An order was refused: ${error}`);
  pupil.orderIds.push(data.order_id);
  const belief = { kind: "order", order_id: data.order_id, confidence };
  const stated = await callAs(pupil, "POST", "/api/belief/stateBelief", belief);
  if (stated.error !== null) throw new Error(`A belief was refused: ${stated.error}`);
}
