/** What domains that sell something ask about a person; implemented by `server/session`. */
export interface NewPositions {
  /** Throws `terms.required` or `session.suspended` unless the person may open new positions. */
  requireNewPositions(userId: string): Promise<void>;
}
