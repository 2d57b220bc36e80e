import * as api from "#api/identity.ts";
import type { Identity, Listed } from "#server/identity/identity.ts";
import type { Page } from "#server/identity/specimens.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
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
    pageOf(input, await identity.specimens(session.userId, filterOf(input))),
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
    pageOf(input, await identity.list(session.userId, filterOf(input))),
  );
  route(app, api.purgeRealName, (input, { session }) =>
    identity.purgeNow(session.userId, input.verification_id),
  );
  mountImage(app, identity);
}

/** A file, not an envelope; never shown as a page of ours, whatever its address is opened with. */
function mountImage(app: App, identity: Identity): void {
  app.get(api.getRealNameImage.path, async (request, reply) => {
    if (!request.session) throw new Refusal("session.required");
    const input = api.getRealNameImage.input.safeParse(request.query);
    if (!input.success) throw new Refusal("request.malformed", { field: "verification_id" });
    const id = input.data.verification_id;
    const bytes = await identity.image(request.session.userId, id);
    return reply
      .type("image/webp")
      .header("cache-control", "no-store")
      .header("content-disposition", `attachment; filename="specimen-${id}.webp"`)
      .send(bytes);
  });
}

interface Asked {
  page: number;
  page_size: number;
  before?: string | undefined;
}

/** One more than the page, to know whether there is more. */
function filterOf({ page, page_size: size, before }: Asked): Page {
  if (before !== undefined && !/^[0-9]{1,18}$/.test(before)) {
    throw new Refusal("request.malformed", { field: "before" });
  }
  return {
    upToSeq: before === undefined ? null : BigInt(before),
    limit: size + 1,
    offset: (page - 1) * size,
  };
}

function pageOf<View>({ page, page_size: size, before }: Asked, rows: Listed<View>[]) {
  return {
    items: rows.slice(0, size).map(({ view }) => view),
    page,
    page_size: size,
    has_more: rows.length > size,
    before: before ?? (rows[0] ? String(rows[0].seq) : null),
  };
}
