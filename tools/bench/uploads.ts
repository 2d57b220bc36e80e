/**
 * Memory of a running server under hostile uploads: `node tools/bench/uploads.ts [rounds]`. Starts
 * its own server, uploads pictures that are large once decoded, one by one and many at once, aborts
 * some uploads midway, and prints how far the server and its image decoder together grew above the
 * resting level. Nothing may be left over in its picture directory.
 */
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import {
  boundary,
  createForm,
  drawPaper,
  multipart,
  photo,
  specimen,
} from "#server/recharge/testing.ts";
import { createClient, newKey, signIn } from "#server/testing/client.ts";
import { createDataDirectory, printConditions, printRatio, startServer } from "./lib/conditions.ts";

const rounds = Number(process.argv[2] ?? 3);
const aimMb = 150;
const side = 4_890; // squared: a little under 24 million pixels

/** Each within 6 MB, or truncated to it. */
async function createPictures(text: string): Promise<Record<string, Buffer>> {
  const flat = (width: number, height: number, channels: 3 | 4 = 3) =>
    sharp({ create: { width, height, channels, background: "#cde" }, limitInputPixels: false });
  const grain = () => photo(1_200, 1_200).resize(side, side, { kernel: "nearest" });
  return {
    "60 megapixels, flat PNG": await flat(10_000, 6_000).png().toBuffer(),
    "24 megapixels, flat PNG": await flat(side, side).png().toBuffer(),
    "24 megapixels, interlaced PNG": await flat(side, side, 4)
      .png({ progressive: true })
      .toBuffer(),
    "24 megapixels, 16-bit interlaced PNG": await flat(side, side, 4)
      .toColourspace("rgb16")
      .png({ progressive: true })
      .toBuffer(),
    "24 megapixels, progressive JPEG without subsampling": await grain()
      .jpeg({ quality: 30, progressive: true, chromaSubsampling: "4:4:4" })
      .toBuffer(),
    "24 megapixels, CMYK progressive JPEG": await grain()
      .toColourspace("cmyk")
      .jpeg({ quality: 25, progressive: true, chromaSubsampling: "4:4:4" })
      .toBuffer(),
    "24 megapixels on its side": await grain()
      .jpeg({ quality: 30 })
      .withMetadata({ orientation: 6 })
      .toBuffer(),
    "24 megapixels, lossless WebP": await flat(side, side, 4).webp({ lossless: true }).toBuffer(),
    "24 megapixels, WebP": await grain().webp({ quality: 20, effort: 0 }).toBuffer(),
    "20 megapixels with a specimen": await drawPaper([text], {
      scale: 20,
      width: 4_000,
      height: 5_000,
    })
      .jpeg({ quality: 70, progressive: true })
      .toBuffer(),
    "a specimen": await specimen(text),
    "6 MB of nothing behind a JPEG's first bytes": Buffer.concat([
      Buffer.from("ffd8ffe0", "hex"),
      Buffer.alloc(6 * 1024 * 1024 - 4, 7),
    ]),
    "6 MB of nothing": Buffer.alloc(6 * 1024 * 1024),
  };
}

/** Memory of the server and, if running, its image decoder process. */
function rssMb(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  const decoding = children.filter((child) => child && /pictureProcess/.test(getArgs(child)));
  return [String(pid), ...decoding].reduce((sum, pid) => sum + ownRssMb(pid), 0);
}

function getArgs(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function ownRssMb(pid: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const data = createDataDirectory();
const server = await startServer(data.directory);
try {
  const client = createClient({ port: server.port });
  const people = [];
  for (let nth = 0; nth < 8; nth += 1) people.push(await signIn(client));
  const voucher = await client.call<{ qr_text: string }>({
    method: "POST",
    path: "/api/user/drawVoucher",
    input: { coin: "pUSDT", network: "peth", amount: "100", kind: "good" },
    token: people[0]!.token,
  });
  const pictures = await createPictures(voucher.qr_text);
  printConditions(
    `${Object.keys(pictures).length} pictures, ${rounds} rounds, ${people.length} people at once`,
  );
  await sleep(5_000);
  const resting: number[] = [];
  for (let nth = 0; nth < 20; nth += 1) {
    resting.push(rssMb(server.pid));
    await sleep(250);
  }
  const level = Math.max(...resting);
  console.log(`resting at ${level.toFixed(0)} MB`);
  let peak = 0;
  let highest = 0;
  let alone = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, rssMb(server.pid));
    highest = Math.max(highest, peak);
    alone = Math.max(alone, ownRssMb(String(server.pid)));
  }, 5);
  const counts = new Map<string, number>();
  const upload = async (token: string, picture: Buffer, breakOff = false) => {
    const error = await send(server.port, token, multipart(createForm(picture)), breakOff);
    counts.set(error, (counts.get(error) ?? 0) + 1);
  };
  for (let round = 1; round <= rounds; round += 1) {
    for (const [title, picture] of Object.entries(pictures)) {
      peak = 0;
      await upload(people[0]!.token, picture);
      if (round === 1) {
        console.log(
          `${title} (${(picture.length / 1024).toFixed(0)} KB): +${(peak - level).toFixed(0)} MB`,
        );
      }
    }
    peak = 0;
    await Promise.all(
      people.flatMap(({ token }, nth) =>
        Object.values(pictures).map((picture, index) =>
          upload(token, picture, (nth + index) % 5 === 0),
        ),
      ),
    );
    console.log(
      `round ${round}, ${people.length * Object.keys(pictures).length} at once: +${(peak - level).toFixed(0)} MB`,
    );
  }
  clearInterval(watch);
  const maxRise = highest - level;
  await sleep(10_000);
  console.log(`10 s later: ${(rssMb(server.pid) - level).toFixed(0)} MB above rest`);
  for (const [error, count] of counts) console.log(`${count} × ${error}`);
  const storedBlobs = readdirSync(join(data.directory, "blobs", "bench", "recharge"));
  const acceptedCount = counts.get("accepted") ?? 0;
  console.log(`${storedBlobs.length} pictures stored for ${acceptedCount} accepted recharges`);
  console.log(`highest: ${maxRise.toFixed(0)} MB above rest (aim: at most ${aimMb})`);
  console.log(`of that the server alone at most ${(alone - level).toFixed(0)} MB`);
  printRatio(maxRise / aimMb, 1, "most");
  client.close();
} finally {
  await server.stop();
  data.remove();
}

/** The error name, `accepted`, or `broken off` if the connection ended first. */
function send(port: number, token: string, body: Buffer, breakOff: boolean): Promise<string> {
  return new Promise((resolve) => {
    const clientRequest = request(
      {
        host: "127.0.0.1",
        port,
        method: "POST",
        path: "/api/user/recharge",
        agent: false,
        headers: {
          token,
          "idempotency-key": newKey(),
          "content-type": `multipart/form-data; boundary=${boundary}`,
          "content-length": body.length,
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", () => resolve("broken off"));
        response.on("end", () => {
          const answer = JSON.parse(text) as { code: number; error?: string };
          resolve(answer.code === 1 ? "accepted" : (answer.error ?? "?"));
        });
      },
    );
    clientRequest.on("error", () => resolve("broken off"));
    if (breakOff) {
      clientRequest.write(body.subarray(0, body.length / 2));
      setTimeout(() => clientRequest.destroy(), 50);
    } else {
      clientRequest.end(body);
    }
  });
}
