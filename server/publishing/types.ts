import type { ErrorName } from "#api/errors.ts";
import type { Bodies, Preview } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import type { Publication } from "#core/publishing/change.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Why a body may not be published: a name with a sentence in `errors.json`, and the figures that
 * the sentence gives.
 */
export interface Problem {
  error: ErrorName;
  /** Where in the body: `languages.de.body`, `tiers.0`; empty for the whole. */
  field: string;
  data: Record<string, string | number>;
}

/** A figure that a product comes to, for its preview. */
export type Figure = Preview["figures"][number];

/** What a kind of publication means to the rest of the server. */
export interface KindRules<Name extends Kind> {
  /**
   * Everything that forbids publishing this body now, explained with its figures. Inside a
   * transaction it is given that.
   */
  check(body: Bodies[Name], tx?: Tx): Promise<Problem[]> | Problem[];
  /**
   * Puts it before people, in the transaction that writes the version down. A Refusal is thrown
   * before anything is written, and kept as the reason why it was not published.
   */
  publish?(tx: Tx, body: Bodies[Name], id: string): Promise<void>;
  /** Delists it, in the transaction that says so. What runs already runs on. */
  unpublish?(tx: Tx, body: Bodies[Name]): Promise<void>;
  /** What it comes to, for a preview; of a product only. */
  figures?(body: Bodies[Name]): Promise<Figure[]> | Figure[];
}

export type RulesByKind = { readonly [Name in Kind]: KindRules<Name> };

/** The rules of each kind. */
export type RulesOf = <Name extends Kind>(kind: Name) => KindRules<Name>;

/** Who published without being an operator: what a new world sells, and its first post. */
export const software = "software";

export interface PublicationRow extends Publication {
  seq: bigint;
  id: string;
  kind: Kind;
  subject: string | null;
  /** JSON. */
  draft: string | null;
  refused: string | null;
  firstPublishedAtMs: number | null;
  createdAtMs: number;
  changedAtMs: number;
  changedBy: string;
  scheduledBy: string | null;
  /** The last version; null before the first. */
  live: VersionRow | null;
}

export interface VersionRow {
  version: number;
  /** JSON. */
  body: string;
  publishedAtMs: number;
  publishedBy: string;
}
