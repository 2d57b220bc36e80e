import type { ErrorName } from "#api/errors.ts";
import type { Bodies, Preview } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import type { Publication } from "#core/publishing/change.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Why a body may not be published: a name with a sentence in `errors.json`, and the figures in the
 * sentence.
 */
export interface DraftProblem {
  error: ErrorName;
  /** Path in the body: `languages.de.body`, `tiers.0`; empty for the whole. */
  field: string;
  data: Record<string, string | number>;
}

/** A figure derived from a product, for its preview. */
export type Figure = Preview["figures"][number];

/** The rules of a kind of publication for the rest of the server. */
export interface KindRules<Name extends Kind> {
  /**
   * Every problem that prevents publishing this body now, explained with its figures. `tx` is the
   * transaction, if there is one.
   */
  check(body: Bodies[Name], tx?: Tx): Promise<DraftProblem[]> | DraftProblem[];
  /**
   * Publishes it, in the transaction that writes the version. An ApiError is thrown before anything
   * is written, and recorded as the reason why it was not published.
   */
  publish?(tx: Tx, body: Bodies[Name], id: string): Promise<void>;
  /** Delists it, in the transaction that records that. What is already running continues. */
  unpublish?(tx: Tx, body: Bodies[Name]): Promise<void>;
  /** The resulting figures, for a preview; products only. */
  figures?(body: Bodies[Name]): Promise<Figure[]> | Figure[];
}

export type RulesByKind = { readonly [Name in Kind]: KindRules<Name> };

/** The rules of each kind. */
export type RulesOf = <Name extends Kind>(kind: Name) => KindRules<Name>;

/** The publisher of a new world's products and its first post; not an operator. */
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
  /** Index of its leaf in the log; null in a preview. */
  leaf: number | null;
}
