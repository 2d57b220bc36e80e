import * as api from "#api/identity.ts";
import type { Identity, ListItem } from "#server/identity/identity.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { type Paging, toPage, toSlice } from "#server/platform/http/pagination.ts";
import { fileRoute, route } from "#server/platform/http/route.ts";
import { mountUpload } from "#server/platform/http/upload.ts";

/** Mounts every call of `api/identity.ts`. */
export function identityRoutes(app: App, identity: Identity): void {
  route(app, api.drawIdentity, (input, { session }) =>
    identity.draw(session.userId, {
      documentType: input.document_type,
      state: input.state,
      country: input.country,
      kind: input.kind ?? null,
    }),
  );
  route(app, api.getSpecimenList, async (input, { session }) =>
    toListPage(input, await identity.specimens(session.userId, toSlice(input))),
  );
  route(app, api.getRealNameInfo, (_input, { session, language }) =>
    identity.info(session.userId, language),
  );
  mountUpload(app, api.realNameVerify, { tooLarge: "identity.picture_too_large" }, (scope) => {
    route(scope, api.realNameVerify, (input, { session, idempotencyKey }) =>
      identity.verify(session.userId, input, idempotencyKey),
    );
  });
  route(app, api.getRealNameList, async (input, { session }) =>
    toListPage(input, await identity.list(session.userId, toSlice(input))),
  );
  route(app, api.purgeRealName, (input, { session }) =>
    identity.purgeNow(session.userId, input.verification_id),
  );
  fileRoute(app, api.getRealNameImage, async ({ verification_id: id }, { session }) => {
    const bytes = await identity.image(session.userId, id);
    return new FileAnswer(`specimen-${id}.webp`, "image/webp", bytes);
  });
}

/** A page of rows that carry their own sequence number. */
function toListPage<View>(params: Paging, rows: ListItem<View>[]) {
  return toPage(
    params,
    rows.map(({ view }) => view),
    rows[0]?.seq ?? null,
  );
}
