import type { Browser, Page, Response } from "playwright";
import { acceptTerms, confirmOrder, waitUntilSettled } from "../browser/actions.ts";
import type { Translate } from "../browser/words.ts";
import { getDirection, orderSeconds, type Pupil } from "./pupil.ts";

/** A code as printed on its slip. */
export interface SlipCode {
  number: number;
  /** Twelve letters. */
  code: string;
}

/** An order to place: the symbol of its market, and the confidence in winning, in percent. */
interface WantedOrder {
  symbol: string;
  confidence: number;
}

/**
 * Opens a browser on the address of a slip, joins, and places the order of the task list, all on
 * the screens of a phone.
 */
export async function openPupil(
  browser: Browser,
  url: string,
  say: Translate,
  { slip, order }: { slip: SlipCode; order: WantedOrder },
): Promise<Pupil> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await joinByCode(page, say, slip);
  const orderId = await orderOnScreen(page, say, order);
  const isAskedWhoSent = await page.getByText(say("invites.ask.question")).isVisible();
  await page.close();
  return { context, number: slip.number, orderIds: [orderId], isAskedWhoSent };
}

/** Opens the address of a slip's QR code, reads what the teacher sees, and joins. */
async function joinByCode(page: Page, say: Translate, { number, code }: SlipCode): Promise<void> {
  await page.goto(`/class#${code}`);
  await waitUntilSettled(page);
  const main = page.getByRole("main");
  await main.getByText(say("class-room.join.sees", { number: String(number) })).waitFor();
  await main.getByRole("button", { name: say("class-room.join.do"), exact: true }).click();
  await main.getByText(say("class-room.seen.code", { number: String(number) })).waitFor();
}

/** Follows the task list to the market, and places an order there; returns its id. */
async function orderOnScreen(
  page: Page,
  say: Translate,
  { symbol, confidence }: WantedOrder,
): Promise<string> {
  const main = page.getByRole("main");
  await main.getByRole("link", { name: say("class-room.task.order") }).click();
  const name = new RegExp(symbol.replace("/", ".?"));
  await main.getByRole("listitem").getByRole("link", { name }).first().click();
  await main.getByRole("button", { name: say("contracts.ticket.change") }).click();
  const fields = page.getByRole("dialog", { name: say("contracts.ticket.fields") });
  const duration = say("contracts.duration.minutes", { count: String(orderSeconds / 60) });
  await fields.getByRole("radio", { name: new RegExp(`^${duration}`) }).check();
  await fields.getByRole("button", { name: say("contracts.ticket.fieldsDone") }).click();
  const direction = say(`contracts.ticket.${getDirection(confidence)}`);
  await main.getByRole("button", { name: direction, exact: true }).click();
  await acceptTerms(page, say);
  await page.getByText(say("beliefs.ask"), { exact: true }).click();
  await page.getByRole("slider", { name: say("beliefs.ask.order") }).fill(String(confidence));
  const orderAnswer = awaitAnswer<{ order_id: string }>(page, "/api/contract/contractPlaceOrder");
  const statement = awaitAnswer(page, "/api/belief/stateBelief");
  await confirmOrder(page, say);
  const [{ order_id: orderId }] = await Promise.all([orderAnswer, statement]);
  return orderId;
}

/** The data of the page's next call of `path`; throws with the name of the error if it is refused. */
async function awaitAnswer<Data>(page: Page, path: string): Promise<Data> {
  const isCall = (response: Response) => new URL(response.url()).pathname === path;
  const response = await page.waitForResponse(isCall);
  const { code, error, data } = (await response.json()) as {
    code: number;
    error?: string;
    data: Data;
  };
  if (code !== 1) throw new Error(`${path} was refused: ${error}`);
  return data;
}

/** True if the trade screen of a pupil says that the class is paused, and offers no order. */
export async function isPausedOnScreen(
  { context }: Pupil,
  say: Translate,
  contractId: string,
): Promise<boolean> {
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await page.goto(`/business?contract_id=${contractId}`);
  await waitUntilSettled(page);
  const main = page.getByRole("main");
  await main.getByText(say("contracts.blocked.classPaused")).waitFor();
  const buttons = ["up", "down"].map((direction) =>
    main.getByRole("button", { name: say(`contracts.ticket.${direction}`), exact: true }),
  );
  const disabled = await Promise.all(buttons.map((button) => button.isDisabled()));
  await page.close();
  return disabled.every(Boolean);
}
