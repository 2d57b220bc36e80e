import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs another request while a test is inside a transaction, on separate connections. It captures
 * the async context in which this file is loaded, so import it at the top of a test.
 */
export const outsideTransaction: <Result>(work: () => Result) => Result =
  AsyncLocalStorage.snapshot();
