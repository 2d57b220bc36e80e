/** One sentence of a result: `help.check.<id>` with its values. */
export interface CheckMessage {
  id: string;
  values?: Record<string, string | number>;
}

export interface CheckResult {
  /**
   * `holds` and `fails` are findings; `unwitnessed` holds as far as one reader can see, who has only
   * the operator's word that others see the same; `nothing` means there is nothing to check yet (no
   * session, an empty log).
   */
  outcome: "holds" | "unwitnessed" | "fails" | "nothing";
  messages: readonly CheckMessage[];
}

/** Checks one promise against this instance now. Rejects when a call fails; changes nothing. */
export type Check = (signedIn: boolean) => Promise<CheckResult>;

/** For checks that need a session. */
export const sessionRequired: CheckResult = { outcome: "nothing", messages: [{ id: "signIn" }] };
