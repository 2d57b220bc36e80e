/** One sentence of a result: `help.check.<id>` with its values. */
export interface CheckMessage {
  id: string;
  values?: Record<string, string | number>;
}

export interface CheckResult {
  /**
   * `holds` and `fails` were found out; `nothing`: there is nothing to look at yet (no session, an
   * empty log).
   */
  outcome: "holds" | "fails" | "nothing";
  said: readonly CheckMessage[];
}

/**
 * Checks one promise against this instance, now. Rejects when something could not be asked; nothing
 * is changed by it.
 */
export type Check = (signedIn: boolean) => Promise<CheckResult>;

/** For what only a signed-in person can look at. */
export const requiresSession: CheckResult = { outcome: "nothing", said: [{ id: "signIn" }] };
