import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { encode } from "uqr";
import type { IdentitySpecimen, Verification } from "#api/identity.ts";
import { createIdentity } from "#server/identity/identity.ts";
import { identityRoutes } from "#server/identity/routes.ts";
import { createImageDecoder } from "#server/platform/images/imageDecoder.ts";
import { newKey } from "#server/testing/client.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext } from "#server/testing/testContext.ts";

/** Identity alone over HTTP; the token is taken as the user's id. */
export async function createIdentityWorld() {
  const ctx = await createTestContext();
  const imageDecoder = createImageDecoder(ctx.realClock);
  const identity = createIdentity(ctx, { imageDecoder });
  ctx.jobs.add(identity.jobs);
  // A new session for each request; the rate limit per session is covered by another test.
  let sessions = 0;
  const app = await createTestApp(
    ctx,
    (app) => identityRoutes(app, identity),
    async (token) =>
      token
        ? {
            sessionId: `${token}/${sessions++}`,
            userId: token,
            attemptId: token,
            expiresAtMs: 9e15,
          }
        : null,
  );
  return {
    ctx,
    identity,
    app,
    directory: join(ctx.config.dataDirectory, "blobs", ctx.world.name, "identity"),
    files: () => {
      try {
        return readdirSync(join(ctx.config.dataDirectory, "blobs", ctx.world.name, "identity"));
      } catch {
        return [];
      }
    },
    /** Advances world time by the length of a review and decides. */
    review: async () => {
      ctx.clock.advanceTo(ctx.clock.nowMs() + 8_000);
      return identity.review();
    },
    close: async () => {
      await app.close();
      await imageDecoder.close();
      await ctx.destroy();
    },
  };
}
export type IdentityWorld = Awaited<ReturnType<typeof createIdentityWorld>>;

export const newPerson = () => randomUUID();

export interface Answer<Data> {
  status: number;
  error: string | null;
  data: Data;
  msg: string;
}

async function inject<Data>(
  { app }: IdentityWorld,
  user: string,
  options: { method: "GET" | "POST"; url: string; payload?: object; language?: string },
): Promise<Answer<Data>> {
  const { language, ...request } = options;
  const answer = await app.inject({
    ...request,
    headers: { token: user, ...(language ? { language } : {}) },
  });
  const body = answer.json();
  return { status: answer.statusCode, error: body.error ?? null, data: body.data, msg: body.msg };
}

export const get = <Data>(world: IdentityWorld, user: string, url: string, language?: string) =>
  inject<Data>(world, user, { method: "GET", url, ...(language ? { language } : {}) });

export const post = <Data>(world: IdentityWorld, user: string, url: string, payload: object) =>
  inject<Data>(world, user, { method: "POST", url, payload });

export async function draw(
  world: IdentityWorld,
  user: string,
  params: Partial<Record<"document_type" | "state" | "country" | "kind", string>> = {},
): Promise<IdentitySpecimen> {
  const { data, error } = await post<IdentitySpecimen>(world, user, "/api/user/drawIdentity", {
    document_type: "passport",
    state: "velmark",
    country: "GB",
    kind: "verified",
    ...params,
  });
  if (error) throw new Error(error);
  return data;
}

/** White paper with QR codes side by side. */
function paper(texts: string[]): Sharp {
  const [width, height, scale] = [720, 900, 4];
  const rgb = Buffer.alloc(width * height * 3, 255);
  for (const [nth, text] of texts.entries()) {
    const { data } = encode(text, { ecc: "M", border: 0 });
    const leftPx = 40 + nth * (data.length * scale + 60);
    for (const [y, row] of data.entries()) {
      for (const [x, isDark] of row.entries()) {
        if (!isDark) continue;
        for (let line = 0; line < scale; line += 1) {
          const from = ((120 + y * scale + line) * width + leftPx + x * scale) * 3;
          rgb.fill(20, from, from + scale * 3);
        }
      }
    }
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

export const createPicture = (...texts: string[]): Promise<Buffer> => paper(texts).png().toBuffer();

/** The form, filled in with the specimen's values. */
export function createForm(specimen: IdentitySpecimen): Record<string, string> {
  return {
    name: specimen.name,
    document_type: specimen.document_type,
    number: specimen.number,
    sex: String(specimen.sex),
    birthday: specimen.birthday,
    contact_country: specimen.contact.country,
    contact_number: specimen.contact.number,
  };
}

const boundary = "----identity";

export async function send(
  { app }: IdentityWorld,
  user: string,
  form: Record<string, string>,
  image: Buffer | null,
  { key = newKey(), language = "en" }: { key?: string; language?: string } = {},
): Promise<Answer<Verification>> {
  const texts = Object.entries(form).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = image
    ? [
        Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="me.png"\r\ncontent-type: image/png\r\n\r\n`,
        ),
        image,
        Buffer.from("\r\n"),
      ]
    : [];
  const answer = await app.inject({
    method: "POST",
    url: "/api/user/realNameVerify",
    headers: {
      token: user,
      language,
      ...(key === "" ? {} : { "idempotency-key": key }),
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
    payload: Buffer.concat([
      ...texts.map((text) => Buffer.from(text)),
      ...file,
      Buffer.from(`--${boundary}--\r\n`),
    ]),
  });
  const body = answer.json();
  return { status: answer.statusCode, error: body.error ?? null, data: body.data, msg: body.msg };
}
