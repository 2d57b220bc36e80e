import { sql } from "kysely";
import type { IdentitySpecimen, Verification } from "#api/identity.ts";
import type { StoredFields } from "#server/identity/form.ts";
import type { SpecimenRow } from "#server/identity/specimens.ts";
import type { VerificationRow } from "#server/identity/store.ts";
import type { Blobs } from "#server/platform/crypto/blobs.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db } from "#server/platform/db/database.ts";

export interface IdentityDataDeps {
  db: Db;
  blobs: Blobs;
  fieldEncryption: FieldEncryption;
  showSpecimen: (row: SpecimenRow) => Promise<IdentitySpecimen>;
  show: (row: VerificationRow) => Promise<Verification>;
  decryptFields: (row: VerificationRow) => Promise<StoredFields | null>;
  image: (row: VerificationRow) => Promise<Buffer | null>;
}

/** Identity's part in the export and erasure of a person's data. */
export function identityPersonalData(deps: IdentityDataDeps) {
  const { db, blobs, fieldEncryption } = deps;
  const listVerifications = async (userId: string) => {
    const { rows } = await sql<VerificationRow>`
      select * from identity_verification where user_id = ${userId} order by seq`.execute(db);
    return rows;
  };
  return {
    exportFor: async (userId: string) => {
      const { rows: specimens } = await sql<SpecimenRow>`
        select * from identity_specimen where user_id = ${userId} order by seq`.execute(db);
      const verifications = await listVerifications(userId);
      const files: { name: string; bytes: Uint8Array }[] = [];
      const pictures = [];
      for (const row of verifications) {
        const bytes = await deps.image(row);
        if (bytes) files.push({ name: `verification-${row.id}.webp`, bytes });
        pictures.push({ ...(await deps.show(row)), fields: await deps.decryptFields(row) });
      }
      return {
        json: {
          specimens: await Promise.all(specimens.map(deps.showSpecimen)),
          verifications: pictures,
        },
        files,
      };
    },
    erase: async (userId: string) => {
      for (const row of await listVerifications(userId)) {
        await fieldEncryption.destroyKey(row.id);
        if (row.image) await blobs.remove(row.image);
      }
      await sql`delete from identity_verification where user_id = ${userId}`.execute(db);
      await sql`delete from identity_specimen where user_id = ${userId}`.execute(db);
      await sql`delete from identity_specimen_quota where user_id = ${userId}`.execute(db);
    },
  };
}
