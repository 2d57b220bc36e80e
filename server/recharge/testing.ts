import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { encode } from "uqr";
import type { RechargeState, Voucher } from "#api/recharge.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import type { App } from "#server/platform/http/context.ts";
import { createImageDecoder } from "#server/platform/images/imageDecoder.ts";
import { createRecharges } from "#server/recharge/recharge.ts";
import { rechargeRoutes } from "#server/recharge/routes.ts";
import { newKey } from "#server/testing/client.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext } from "#server/testing/testContext.ts";

/** Index of the test's only second: 20 000 and 2 000 a coin. */
const latest = {
  secondMs: 1_000,
  leaf: 1,
  index: { "BTC/USDT": 2_000_000n, "ETH/USDT": 200_000n, "USDC/USDT": 100_000n },
};

/**
 * Only recharges, over HTTP: the bearer of the token `user/attempt` is that user in that attempt.
 */
export async function createRechargeWorld() {
  const ctx = await createTestContext();
  const ledger = createLedger(ctx);
  let index: object | null = latest;
  const imageDecoder = createImageDecoder(ctx.realClock);
  const market = { latest: () => index as never };
  const recharges = createRecharges(ctx, { ledger, market, imageDecoder });
  ctx.jobs.add(recharges.jobs);
  const app = await createTestApp(
    ctx,
    (app) => rechargeRoutes(app, recharges),
    async (token) => {
      const [userId = "", attemptId = ""] = token.split("/");
      return userId ? { sessionId: token, userId, attemptId, expiresAtMs: 9e15 } : null;
    },
  );
  const files = () => {
    const directory = join(ctx.config.dataDirectory, "blobs", ctx.world.name, "recharge");
    try {
      return readdirSync(directory);
    } catch {
      return [];
    }
  };
  return {
    ctx,
    ledger,
    recharges,
    imageDecoder,
    app,
    files,
    setIndex: (next: object | null) => {
      index = next;
    },
    latest,
    /** Advances world time by the length of a review, and decides. */
    review: async () => {
      ctx.clock.advanceTo(ctx.clock.nowMs() + 8_000);
      return recharges.review();
    },
    close: async () => {
      await app.close();
      await imageDecoder.close();
      await ledger.stop();
      await ctx.destroy();
    },
  };
}
export type RechargeWorld = Awaited<ReturnType<typeof createRechargeWorld>>;

export interface Person {
  userId: string;
  attemptId: string;
  token: string;
}

export function newPerson(): Person {
  const userId = randomUUID();
  const attemptId = randomUUID();
  return { userId, attemptId, token: `${userId}/${attemptId}` };
}

/** A hand-made multipart body, so that tests can get each byte of it wrong. */
export interface Part {
  name: string;
  value: string | Buffer;
  filename?: string;
  type?: string;
}

export const boundary = "----specimen";

export function multipart(parts: Part[], close = true): Buffer {
  const pieces: Buffer[] = parts.flatMap(({ name, value, filename, type }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${
        filename === undefined ? "" : `; filename="${filename}"`
      }\r\n${type ? `content-type: ${type}\r\n` : ""}\r\n`,
      "utf8",
    ),
    Buffer.from(value),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(close ? `--${boundary}--\r\n` : "")]);
}

export function createForm(image: Buffer | null, change: Record<string, string> = {}): Part[] {
  const fields = { coin: "pUSDT", network: "peth", amount: "100", ...change };
  const texts = Object.entries(fields).map(([name, value]) => ({ name, value }));
  if (!image) return texts;
  return [...texts, { name: "image", value: image, filename: "voucher.png", type: "image/png" }];
}

export interface Answer<Data = RechargeState> {
  status: number;
  error: string | null;
  data: Data;
  refusal: Record<string, string | number> | null;
  msg: string;
}

export async function send(
  app: App,
  { token }: Person,
  payload: Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await app.inject({
    method: "POST",
    url: "/api/user/recharge",
    headers: {
      token,
      "idempotency-key": newKey(),
      "content-type": `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
    payload,
  });
  const body = answer.json();
  return {
    status: answer.statusCode,
    error: body.error ?? null,
    data: body.data,
    refusal: body.code === 0 ? body.data : null,
    msg: body.msg,
  };
}

/**
 * The same for a request that must be refused, a second after the previous one; throws if it leaves
 * a file.
 */
export async function sendRefused(
  world: RechargeWorld,
  person: Person,
  payload: Buffer,
  headers: Record<string, string> = {},
) {
  world.ctx.realClock.advanceMs(1_000);
  const before = world.files().join();
  const answer = await send(world.app, person, payload, headers);
  if (world.files().join() !== before) throw new Error("a refused upload left a file");
  return answer;
}

export async function draw(
  { app }: RechargeWorld,
  { token }: Person,
  params: Partial<Record<"coin" | "network" | "amount" | "kind", string>> = {},
): Promise<Voucher> {
  const answer = await app.inject({
    method: "POST",
    url: "/api/user/drawVoucher",
    headers: { token },
    payload: { coin: "pUSDT", network: "peth", amount: "100", kind: "good", ...params },
  });
  const body = answer.json();
  if (body.code !== 1) throw new Error(body.error);
  return body.data;
}

/** White paper with QR codes side by side, each module `scale` pixels wide. */
export function drawPaper(texts: string[], { scale = 4, width = 720, height = 900 } = {}): Sharp {
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

export const specimen = (text: string): Promise<Buffer> => drawPaper([text]).png().toBuffer();

/** Something like a photograph: soft shapes under grain, no code in it. */
export function photo(width = 1_600, height = 1_200): Sharp {
  const rgb = Buffer.alloc(width * height * 3);
  let grain = 12_345;
  for (let index = 0, y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      grain = (grain * 1_103_515_245 + 12_345) & 0x7fffffff;
      const noise = (grain >> 16) % 24;
      const hill = Math.sin(x / 170 + Math.cos(y / 90)) * 50;
      rgb[index++] = Math.min(255, 90 + hill + noise + (y / height) * 70);
      rgb[index++] = Math.min(255, 110 + hill / 2 + noise + (x / width) * 50);
      rgb[index++] = Math.min(255, 140 - hill + noise);
    }
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}
