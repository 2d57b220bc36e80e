import { useSyncExternalStore } from "react";

/** Which of the session's sheets is open, and who waits for its end. */
export interface Sheets {
  open: "none" | "sign_in" | "terms";
  /** Why the sign-in opened by itself. */
  reason: "asked" | "account_changed" | "lost";
}

let sheets: Sheets = { open: "none", reason: "asked" };
let waiting: ((accepted: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function set(next: Sheets): void {
  sheets = next;
  for (const listener of listeners) listener();
}

export function openSignIn(reason: Sheets["reason"] = "asked"): void {
  set({ open: "sign_in", reason });
}

/** Opens the practice terms; resolves when they were accepted (true) or put away (false). */
export function askForTerms(): Promise<boolean> {
  set({ open: "terms", reason: "asked" });
  return new Promise((resolve) => waiting.push(resolve));
}

export function closeSheets(accepted = false): void {
  set({ open: "none", reason: "asked" });
  const resolvers = waiting;
  waiting = [];
  for (const resolve of resolvers) resolve(accepted);
}

export function useSheets(): Sheets {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sheets,
  );
}
