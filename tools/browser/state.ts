import type { Page } from "playwright";
import type { Translate } from "./words.ts";

/**
 * Who looks: nobody signed in; signed in without having accepted the terms; one with a settled and
 * an open order.
 */
export type Viewer = "visitor" | "newcomer" | "person";

export interface Facts {
  contractId: string;
  /** Null where nobody waited for one. */
  settledOrderId: string | null;
  openOrderId: string;
}

/** Something that a person can have before their eyes. */
export interface State {
  name: string;
  viewer: Viewer;
  path: (facts: Facts) => string;
  /** Needs an order that is over. */
  settled?: boolean;
  /** What is done once the page is there. */
  perform?: (page: Page, say: Translate) => Promise<void>;
  /** Undoes what would outlast the page. */
  leave?: (page: Page) => Promise<void>;
}

/** Presses the first button of the screen that has this name. */
export const press = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name }).first().click();
export const tab = (page: Page, name: string) =>
  page.getByRole("tab", { name, exact: true }).click();
/** Waits for the sheet that was opened. */
export const sheet = (page: Page) => page.getByRole("dialog").waitFor();
