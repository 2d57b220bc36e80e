import { createStore, useStore } from "#ui/createStore.ts";

/** The session's sheet that is open, and why. */
export interface Sheets {
  open: "none" | "sign_in" | "terms";
  /** Why the sign-in sheet opened. */
  reason: "asked" | "account_changed" | "lost";
}

const closedSheets: Sheets = { open: "none", reason: "asked" };
const sheets = createStore(closedSheets);
let pendingResolvers: ((accepted: boolean) => void)[] = [];

export function openSignIn(reason: Sheets["reason"] = "asked"): void {
  sheets.set({ open: "sign_in", reason });
}

/** Opens the practice terms; resolves to true if they were accepted. */
export function requestTerms(): Promise<boolean> {
  sheets.set({ open: "terms", reason: "asked" });
  return new Promise((resolve) => pendingResolvers.push(resolve));
}

export function closeSheets(accepted = false): void {
  sheets.set(closedSheets);
  const resolvers = pendingResolvers;
  pendingResolvers = [];
  for (const resolve of resolvers) resolve(accepted);
}

export function useSheets(): Sheets {
  return useStore(sheets);
}
