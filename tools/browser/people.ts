import type { Browser, BrowserContext, Page } from "playwright";
import {
  acceptTerms,
  confirmOrder,
  openSignIn,
  pressUpButton,
  signIn,
  waitUntilSettled,
} from "./actions.ts";
import type { Facts, Viewer } from "./state.ts";
import { loadTranslate, type Translate } from "./words.ts";

export interface People {
  contexts: Record<Viewer, BrowserContext>;
  facts: Facts;
}

/**
 * Creates three people of a new instance; the last has an open order and, if `settled`, one that is
 * over, which takes some ninety seconds.
 */
export async function createPeople(
  browser: Browser,
  url: string,
  { settled }: { settled: boolean },
): Promise<People> {
  const say = loadTranslate("en");
  const person = await browser.newContext({ baseURL: url, reducedMotion: "reduce" });
  const newcomer = await browser.newContext({ baseURL: url, reducedMotion: "reduce" });
  const visitor = await browser.newContext({ baseURL: url, reducedMotion: "reduce" });
  for (const context of [newcomer, person]) {
    const page = await context.newPage();
    await page.goto("/ucenter");
    await openSignIn(page, say);
    await signIn(page, say);
    await page.close();
  }
  const list = await person.request.get("/api/contract/getContractList?type=all");
  const { data } = (await list.json()) as {
    data: { items: { contract_id: string; symbol: string }[] };
  };
  const contract = data.items.find(({ symbol }) => symbol === "BTC/USDT") ?? data.items[0];
  if (!contract) throw new Error(`${url} offers no contract`);
  const page = await person.newPage();
  await page.goto(`/business?contract_id=${contract.contract_id}`);
  await waitUntilSettled(page);
  let settledOrderId: string | null = null;
  if (settled) {
    settledOrderId = await order(page, say, "shortest", true);
    await waitForStatus(page, settledOrderId, "over");
    await page.goto(`/business?contract_id=${contract.contract_id}`);
  }
  const openOrderId = await order(page, say, "longest", !settled);
  await page.close();
  const facts = { contractId: contract.contract_id, settledOrderId, openOrderId };
  return { contexts: { visitor, newcomer, person }, facts };
}

/**
 * Places an order in the page and returns its id; on the `first` one accepts the practice terms.
 */
async function order(
  page: Page,
  say: Translate,
  tier: "shortest" | "longest",
  first: boolean,
): Promise<string> {
  await page.setViewportSize({ width: 1280, height: 800 });
  const tiers = page
    .getByRole("main")
    .getByRole("group", { name: say("contracts.ticket.tier") })
    .getByRole("radio");
  await tiers.first().waitFor();
  await (tier === "shortest" ? tiers.first() : tiers.last()).check();
  const answer = page.waitForResponse(
    (response) => response.url().endsWith("/contractPlaceOrder") && response.status() === 200,
  );
  await pressUpButton(page, say);
  if (first) await acceptTerms(page, say);
  await confirmOrder(page, say);
  const { data } = (await (await answer).json()) as { data: { order_id: string } };
  return data.order_id;
}

async function waitForStatus(page: Page, orderId: string, status: string): Promise<void> {
  for (let tries = 0; tries < 240; tries += 1) {
    const answer = await page.request.get(`/api/contract/findOrderStatus?order_id=${orderId}`);
    const { data } = (await answer.json()) as { data?: { status: string } };
    if (data?.status === status) return;
    await page.waitForTimeout(500);
  }
  throw new Error(`order ${orderId} did not become ${status} within two minutes`);
}
