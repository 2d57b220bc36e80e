import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs what somebody else does while a test is inside a transaction: another request, with
 * connections of its own. Of the place where this file is loaded, so load it at the top of a test.
 */
export const elsewhere: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();
