/** Questions about a person by domains that sell something; implemented by `server/session`. */
export interface NewPositions {
  /** Throws `terms.required` or `session.suspended` unless the person may open new positions. */
  requireNewPositions(userId: string): Promise<void>;
}
