import * as api from "#api/identity.ts";
import type { Identity, Listed } from "#server/identity/identity.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { type Paging, pageOf, sliceOf } from "#server/platform/http/pagination.ts";
import { route } from "#server/platform/http/route.ts";
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
    listed(input, await identity.specimens(session.userId, sliceOf(input))),
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
    listed(input, await identity.list(session.userId, sliceOf(input))),
  );
  route(app, api.purgeRealName, (input, { session }) =>
    identity.purgeNow(session.userId, input.verification_id),
  );
  mountImage(app, identity);
}

/** Serves a file, not an envelope; always as an attachment, never rendered as one of our pages. */
function mountImage(app: App, identity: Identity): void {
  app.get(api.getRealNameImage.path, async (request, reply) => {
    if (!request.session) throw new ApiError("session.required");
    const input = api.getRealNameImage.input.safeParse(request.query);
    if (!input.success) throw new ApiError("request.malformed", { field: "verification_id" });
    const id = input.data.verification_id;
    const bytes = await identity.image(request.session.userId, id);
    return reply
      .type("image/webp")
      .header("cache-control", "no-store")
      .header("content-disposition", `attachment; filename="specimen-${id}.webp"`)
      .send(bytes);
  });
}

/** A page of rows that carry their own sequence number. */
function listed<View>(asked: Paging, rows: Listed<View>[]) {
  return pageOf(
    asked,
    rows.map(({ view }) => view),
    rows[0]?.seq ?? null,
  );
}
