import { wrapProvider } from "#web/features/session/provider.ts";

/**
 * Calls every function of the wallet wrapper with a wallet that only records which methods are
 * requested.
 */
export async function listWalletMethods(): Promise<string[]> {
  const requestedMethods: string[] = [];
  const wallet = wrapProvider({
    request: ({ method }) => {
      requestedMethods.push(method);
      return Promise.reject(new Error("recorded only"));
    },
  });
  for (const [name, ask] of Object.entries(wallet)) {
    if (name === "onChange") continue;
    await (ask as (...values: string[]) => Promise<unknown>)("x", "x").catch(() => undefined);
  }
  return [...new Set(requestedMethods)];
}
