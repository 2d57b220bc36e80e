import type { Page } from "playwright";
import type { Translate } from "./words.ts";

/**
 * The viewer of a screen: no one signed in; signed in without having accepted the terms; a person
 * with a settled and an open order.
 */
export type Viewer = "visitor" | "newcomer" | "person";

export interface Facts {
  contractId: string;
  /** Null if no settled order was created. */
  settledOrderId: string | null;
  openOrderId: string;
}

/** A state of the app that a person can see. */
export interface State {
  name: string;
  viewer: Viewer;
  path: (facts: Facts) => string;
  /** A sheet that asks for a decision, and so must be short. */
  decision?: true;
  /** Requires an order that is over. */
  settled?: boolean;
  /** Actions once the page has loaded. */
  perform?: (page: Page, say: Translate) => Promise<void>;
  /** Undoes what would outlast the page. */
  leave?: (page: Page) => Promise<void>;
}

/** Presses the first button with this name on the screen. */
export const press = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name }).first().click();
export const pressTab = (page: Page, name: string) =>
  page.getByRole("tab", { name, exact: true }).click();
/** Waits for the sheet that is opening. */
export const getSheet = (page: Page) => page.getByRole("dialog").waitFor();
/** Waits for details, which open in a sheet or, on wide screens, beside their list. */
export const getDetails = (page: Page) =>
  page.getByRole("dialog").or(page.locator("aside h2[data-page-heading]")).first().waitFor();
