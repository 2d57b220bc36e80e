import { join } from "node:path";
import type { IdentitySpecimen, PersonRecord, RealNameInfo, Verification } from "#api/identity.ts";
import { drawsPerDayMax, submissionsPerDayMax } from "#core/identity/review.ts";
import type { Locale } from "#core/locales.ts";
import { dayStartMs } from "#core/money/time.ts";
import { acceptVerification } from "#server/identity/accept.ts";
import type { StoredFields, VerifyParams } from "#server/identity/form.ts";
import { identityPersonalData } from "#server/identity/person.ts";
import { purgeDue, purgeVerifications, reviewDue } from "#server/identity/review.ts";
import {
  countDrawnToday,
  createQrText,
  drawSpecimen,
  listSpecimens,
  type Page,
  readSpecimens,
  type SpecimenParams,
  type SpecimenRow,
} from "#server/identity/specimens.ts";
import {
  countSentSince,
  listVerifications,
  readNamedImages,
  readVerification,
  type VerificationRow,
} from "#server/identity/store.ts";
import {
  rulesView,
  toPersonView,
  toSpecimenView,
  toVerificationView,
} from "#server/identity/views.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createDirectoryBlobs } from "#server/platform/crypto/blobs.ts";
import { KeyDestroyedError } from "#server/platform/crypto/fieldEncryption.ts";

import type { ImageDecoder } from "#server/platform/images/imageDecoder.ts";
import type { Job } from "#server/platform/jobs.ts";

/**
 * Real age at which a file that no row refers to is swept; the request that created it has ended by
 * then.
 */
const sweepAgeMs = 10 * 60_000;

/** A row's sequence number in its list, and its view. */
export interface ListItem<View> {
  seq: bigint;
  view: View;
}

export interface Identity {
  draw(userId: string, params: SpecimenParams): Promise<IdentitySpecimen>;
  specimens(userId: string, page: Page): Promise<ListItem<IdentitySpecimen>[]>;
  /** `language` determines the title for the sex. */
  info(userId: string, language: Locale): Promise<RealNameInfo>;
  /** See `acceptVerification`; returns the verification's current state. */
  verify(userId: string, params: VerifyParams, key: string | null): Promise<Verification>;
  list(userId: string, page: Page): Promise<ListItem<Verification>[]>;
  /** WebP. Throws `identity.unknown`, `identity.purged`. */
  image(userId: string, id: string): Promise<Buffer>;
  /** Throws `identity.unknown`, and `identity.under_review` until it is decided. */
  purgeNow(userId: string, id: string): Promise<Verification>;
  /** Decides verifications that are due; the job runs this every second. */
  review(): Promise<number>;
  /** Purges verifications that are due; the job runs this every five minutes. */
  purge(): Promise<number>;
  /** Removes files older than ten minutes that no row refers to; run by a job. */
  sweep(): Promise<number>;
  /** Exports everything held about a person. */
  exportFor: (
    userId: string,
  ) => Promise<{ json: unknown; files: { name: string; bytes: Uint8Array }[] }>;
  /** Erases everything held about a person; idempotent. */
  erase: (userId: string) => Promise<void>;
  jobs: readonly Job[];
}

export interface IdentityDeps {
  imageDecoder: ImageDecoder;
}

/**
 * Real-name verification with specimens only (docs/rules/identity.md). Nothing else on this
 * instance requires it.
 */
export function createIdentity(ctx: AppContext, { imageDecoder }: IdentityDeps): Identity {
  const { database, clock, realClock, fieldEncryption, world, config, logger, messages } = ctx;
  const { db } = database;
  const directory = join(config.dataDirectory, "blobs", world.name, "identity");
  const blobs = createDirectoryBlobs(directory, realClock);
  const keeping = { fieldEncryption, blobs };
  const review = () => reviewDue(ctx);
  const purgeAll = () => purgeDue(ctx, keeping);
  const sweep = () => blobs.sweep(sweepAgeMs, (names) => readNamedImages(db, names));
  const jobs: readonly Job[] = [
    { name: "identity.review", everySeconds: 1, run: review },
    {
      name: "identity.purge",
      everySeconds: 300,
      run: async () => {
        const purgedCount = await purgeAll();
        if (purgedCount > 0) logger.info({ purged: purgedCount }, "purged verifications");
      },
    },
    { name: "identity.sweep", everySeconds: 600, run: sweep },
  ];
  const showSpecimen = async (row: SpecimenRow) =>
    toSpecimenView(row, world.name, await createQrText(fieldEncryption, world.name, row.id));
  const showAll = async (rows: VerificationRow[]) => {
    const specimens = await readSpecimens(
      db,
      rows.map((row) => row.specimen_id),
    );
    return rows.map((row) => ({
      seq: row.seq,
      view: toVerificationView(row, specimens.get(row.specimen_id) ?? null, clock.nowMs()),
    }));
  };
  const show = async (row: VerificationRow) => (await showAll([row]))[0]!.view;
  const decryptFields = async (row: VerificationRow): Promise<StoredFields | null> => {
    const text = await fieldEncryption.decryptText(row.id, row.fields_encrypted);
    return text === null ? null : (JSON.parse(text) as StoredFields);
  };
  const person = async (row: VerificationRow, language: Locale): Promise<PersonRecord | null> => {
    const fields = await decryptFields(row);
    if (!fields) return null;
    const title = messages.format(language, `identity.sex.${fields.sex}`);
    return toPersonView(row, fields, title, clock.nowMs());
  };
  const require = async (userId: string, id: string) => {
    const row = await readVerification(db, userId, id);
    if (!row) throw new ApiError("identity.unknown");
    return row;
  };
  const image = async (row: VerificationRow): Promise<Buffer | null> => {
    const encrypted = row.image && (await blobs.read(row.image));
    if (!encrypted) return null;
    return fieldEncryption.decrypt(row.id, encrypted).catch((error: unknown) => {
      if (error instanceof KeyDestroyedError) return null;
      throw error;
    });
  };
  return {
    jobs,
    draw: async (userId, params) => showSpecimen(await drawSpecimen(ctx, userId, params)),
    specimens: async (userId, page) =>
      Promise.all(
        (await listSpecimens(db, userId, page)).map(async (row) => ({
          seq: row.seq,
          view: await showSpecimen(row),
        })),
      ),
    info: async (userId, language) => {
      const realMs = realClock.nowMs();
      const [rows, drawnCount, sentCount] = await Promise.all([
        listVerifications(db, userId, { upToSeq: null, limit: 1, offset: 0 }),
        countDrawnToday(db, userId, realMs),
        countSentSince(db, userId, dayStartMs(realMs)),
      ]);
      const latest = rows[0] ?? null;
      const verification = latest && (await show(latest));
      return {
        status: verification?.status ?? "none",
        outcome: verification?.outcome ?? null,
        verification,
        person: latest && (await person(latest, language)),
        specimens_left: Math.max(0, drawsPerDayMax - drawnCount),
        tries_left: Math.max(0, submissionsPerDayMax - sentCount),
        rules: rulesView,
      };
    },
    verify: async (userId, params, key) =>
      show(await acceptVerification(ctx, { ...keeping, imageDecoder }, userId, params, key)),
    list: async (userId, page) => showAll(await listVerifications(db, userId, page)),
    image: async (userId, id) => {
      const bytes = await image(await require(userId, id));
      if (!bytes) throw new ApiError("identity.purged");
      return bytes;
    },
    purgeNow: async (userId, id) => {
      const row = await require(userId, id);
      if (row.outcome === null) throw new ApiError("identity.under_review");
      if (row.purged_real_ms === null) await purgeVerifications(ctx, keeping, row);
      return show(await require(userId, id));
    },
    review,
    purge: purgeAll,
    sweep,
    ...identityPersonalData({
      db,
      blobs,
      fieldEncryption,
      showSpecimen,
      show,
      decryptFields,
      image,
    }),
  };
}
