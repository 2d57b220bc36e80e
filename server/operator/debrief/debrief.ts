import { sql } from "kysely";
import type { ClassDebrief } from "#api/operator/debrief.ts";
import {
  type ClassMember,
  computeDebrief,
  type DebriefFigures,
  describeParts,
  type FigureName,
  figureNames,
  mayCountAgain,
} from "#core/classes/debrief.ts";
import { peopleMin } from "#core/classes/masking.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { ClassLinkState } from "#server/operator/classes/deps.ts";
import type { DebriefDeps } from "#server/operator/debrief/deps.ts";
import { type CountedClass, readClass } from "#server/operator/debrief/members.ts";
import {
  addFigure,
  keptAfterEndMs,
  readFigures,
  readParts,
  type StoredFigure,
} from "#server/operator/debrief/store.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";

/** How often each figure of a class may be counted. */
const countsMax = 20;

/** A class as read before the transaction of an opening. */
export interface PreparedDebrief {
  link: ClassLinkState;
  agreed: ReadonlySet<string>;
  /** Null if the stored figures remain valid. */
  counted: CountedClass | null;
}

/** The figures of a class, never over fewer than five people (docs/rules/operator.md, "Debrief"). */
export interface Debrief {
  /**
   * Reads the class if it may be counted. Throws `class.link_unknown`, `class.debrief_over` or
   * `class.debrief_few`.
   */
  prepare(classId: string, recount: boolean): Promise<PreparedDebrief>;
  /** Counts the figures that may be counted, and returns those stored afterwards. */
  open(tx: Tx, prepared: PreparedDebrief): Promise<ClassDebrief>;
}

type Context = Pick<AppContext, "database" | "fieldEncryption" | "realClock">;

export function createDebrief(ctx: Context, deps: DebriefDeps): Debrief {
  const { database, realClock } = ctx;
  const requireLink = async (classId: string): Promise<ClassLinkState> => {
    const links = isUuid(classId) ? await deps.invites.classes.listClassLinks() : [];
    const link = links.find((link) => link.classId === classId);
    if (!link) throw new ApiError("class.link_unknown");
    if (link.expiresAtMs + keptAfterEndMs < realClock.nowMs()) {
      throw new ApiError("class.debrief_over");
    }
    return link;
  };
  return {
    prepare: async (classId, recount) => {
      const link = await requireLink(classId);
      const figures = await readFigures(database.db, classId);
      if (figures.length > 0 && !recount) {
        return { link, agreed: await deps.beliefs.consent.agreedIn(classId), counted: null };
      }
      const classData = await readClass(deps, classId);
      if (classData.members.size < peopleMin) {
        throw new ApiError("class.debrief_few", { minimum: peopleMin });
      }
      return { link, agreed: classData.agreed, counted: classData };
    },
    open: async (tx, { link, agreed, counted }) => {
      const { classId } = link;
      // Serialises two concurrent openings.
      await sql`select pg_advisory_xact_lock(${lockKey(database.schema, `debrief/${classId}`)}::bigint)`.execute(
        tx,
      );
      if (counted) {
        const figures = await readFigures(tx, classId);
        for (const name of figureNames) {
          const earlierFigures = figures.filter((storedFigure) => storedFigure.name === name);
          await countFigure(ctx, tx, {
            classId,
            name,
            earlier: earlierFigures,
            members: counted.members,
          });
        }
      }
      const latest = await readLatest(ctx, tx, classId, agreed);
      return {
        class_id: classId,
        label: link.label,
        now_ms: realClock.nowMs(),
        ...latest,
      };
    },
  };
}

interface FigureCount {
  classId: string;
  name: FigureName;
  earlier: readonly StoredFigure[];
  members: ReadonlyMap<string, ClassMember>;
}

/**
 * Recounts and stores a figure, unless that would reveal something about fewer than five people.
 */
async function countFigure(
  ctx: Context,
  tx: Tx,
  { classId, name, earlier, members }: FigureCount,
): Promise<void> {
  if (earlier.length >= countsMax) return;
  const content = JSON.stringify(computeDebrief([...members.values()])[name]);
  const parts = new Map(
    [...members].map(([userId, classMember]) => [userId, describeParts(classMember)[name]]),
  );
  if (content === earlier.at(-1)?.content) return;
  const figures = [];
  for (const storedFigure of earlier) {
    if (!hasCounts(storedFigure.content)) continue;
    figures.push({
      people: storedFigure.people,
      parts: await readParts(ctx, tx, storedFigure.figureId),
    });
  }
  if (mayCountAgain(parts, figures)) await addFigure(ctx, tx, { classId, name, content, parts });
}

/**
 * False for a figure that was only ever shown as "fewer than five" or "all but fewer than five".
 */
function hasCounts(content: string): boolean {
  return content !== "null" && !/^\{"size":"(few|most)"\}$/.test(content);
}

async function readLatest(
  ctx: Context,
  tx: Tx,
  classId: string,
  consentingIds: ReadonlySet<string>,
): Promise<Pick<ClassDebrief, "people" | "figures">> {
  const latest = new Map<FigureName, StoredFigure>();
  for (const figure of await readFigures(tx, classId)) latest.set(figure.name, figure);
  const figure = <Name extends FigureName>(name: Name) => {
    const storedFigure = latest.get(name);
    const content: DebriefFigures[Name] = storedFigure ? JSON.parse(storedFigure.content) : null;
    return content === null ? null : { counted_at_ms: storedFigure!.countedAtMs, content };
  };
  const beliefs = latest.get("beliefs");
  const mayShow = beliefs !== undefined && (await allStillAgree(ctx, tx, beliefs, consentingIds));
  return {
    people: latest.get("results")?.people ?? 0,
    figures: {
      results: figure("results"),
      orders: figure("orders"),
      beliefs: mayShow ? figure("beliefs") : null,
      costs: figure("costs"),
      withdrawals: figure("withdrawals"),
    },
  };
}

/**
 * Returns false once a pupil revoked their consent: the figure is then deleted until it can be
 * recounted.
 */
async function allStillAgree(
  ctx: Context,
  tx: Tx,
  beliefs: StoredFigure,
  consentingIds: ReadonlySet<string>,
): Promise<boolean> {
  const parts = await readParts(ctx, tx, beliefs.figureId);
  return [...parts].every(([userId, part]) => part === "" || consentingIds.has(userId));
}
