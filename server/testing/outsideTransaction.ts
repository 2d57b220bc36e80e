import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs what somebody else does while a test is inside a transaction: another request, with
 * connections of its own. It captures the async context in which this file is loaded, so import it
 * at the top of a test.
 */
export const outsideTransaction: <Result>(work: () => Result) => Result =
  AsyncLocalStorage.snapshot();
