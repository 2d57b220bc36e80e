import { globSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import { newKey } from "#server/testing/client.ts";
import { expect } from "../expect.ts";
import { getHolder, sendPicture } from "../holder.ts";
import { createForm } from "../http.ts";
import type { Probe } from "../probe.ts";

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([head, body, sum]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** A PNG whose pixels, or whose text, are far larger than the file. */
function bomb(width: number, height: number, extraChunks: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    ...extraChunks,
    chunk("IDAT", deflateSync(Buffer.alloc(4_000_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const voucherTexts = Object.entries({ coin: "pUSDT", network: "peth", amount: "100" });
const html = Buffer.from("<html><script>alert(1)</script></html>");
const svg = Buffer.from(
  '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><text>&x;</text></svg>',
);

export const uploadProbes: readonly Probe[] = [
  {
    name: "upload-polyglots",
    tries:
      "pages, scripts, SVG, GIF, PDF, ZIP and shells sent as PNG, also behind a PNG's first bytes",
    expected: "refused by name before anything is stored",
    run: async (instance) => {
      const person = await instance.person();
      const png = Buffer.from("89504e470d0a1a0a", "hex");
      const files: Record<string, Buffer> = {
        page: html,
        "page behind a PNG's mark": Buffer.concat([png, html]),
        SVG: svg,
        GIF: Buffer.concat([
          Buffer.from("GIF89a/*"),
          Buffer.alloc(20),
          Buffer.from("*/=1;alert(1)"),
        ]),
        PDF: Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<</JS(app.alert(1))>>"),
        ZIP: Buffer.concat([Buffer.from("504b0304", "hex"), Buffer.alloc(60)]),
        TIFF: Buffer.concat([Buffer.from("49492a0008000000", "hex"), Buffer.alloc(60)]),
        shell: Buffer.from("#!/bin/sh\nid\n"),
        nothing: Buffer.alloc(0),
      };
      const names = new Set<string>();
      for (const [name, bytes] of Object.entries(files)) {
        const texts = voucherTexts;
        const { error, status } = await sendPicture(instance, person, { texts, bytes });
        const isNamed =
          error?.startsWith("recharge.picture") === true || error === "recharge.not_a_specimen";
        expect(isNamed, `${name}: ${status} ${error}`);
        names.add(String(error));
      }
      return `${Object.keys(files).length} refused: ${[...names].join(", ")}`;
    },
  },
  {
    name: "picture-bombs",
    tries: "a PNG of 30 000 by 30 000 pixels, and one with 300 MB of packed text",
    expected: "refused within the decoder's time, others are served meanwhile",
    run: async (instance) => {
      const person = await instance.person();
      const texts = voucherTexts;
      const packed = deflateSync(Buffer.alloc(300_000_000, 65), { level: 1 });
      const ztxt = chunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), packed]));
      let slowestMs = 0;
      for (const bytes of [bomb(30_000, 30_000), bomb(200, 200, [ztxt])]) {
        const upload = sendPicture(instance, person, { texts, bytes });
        const otherAnswer = await instance.ask({
          path: "/api/index/getTerms",
          sourceAddress: instance.network(),
        });
        slowestMs = Math.max(slowestMs, otherAnswer.durationMs);
        const { error, status } = await upload;
        expect(status < 500 && error !== null, `${status} ${error}`);
      }
      expect(slowestMs < 3_000, `others waited ${slowestMs.toFixed(0)} ms`);
      return `refused; others waited ${slowestMs.toFixed(0)} ms at most`;
    },
  },
  {
    name: "picture-leftovers",
    tries: "a script behind a good picture's end, and in its file name",
    expected: "what is stored and served is drawn again, as a download with a name of ours",
    run: async (instance) => {
      const { ids, token, marker } = await getHolder(instance);
      const path = `/api/user/getRechargeImage?recharge_id=${ids.get("user recharge_id")}`;
      const { status, bytes, headers } = await instance.ask({ path, token });
      expect(status === 200 && !bytes.includes(marker), `${status}, the script is in it`);
      const type = String(headers["content-type"]);
      const disposition = String(headers["content-disposition"]);
      expect(
        type === "image/webp" &&
          /^attachment; filename="specimen-[0-9a-f-]+\.webp"$/.test(disposition),
        `${type}, ${disposition}`,
      );
      expect(headers["x-content-type-options"] === "nosniff", "without nosniff");
      const storedFiles = readdirSync(join(instance.data, "blobs"), {
        recursive: true,
        withFileTypes: true,
      })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const withScript = storedFiles.filter((file) => readFileSync(file).includes(marker));
      expect(
        withScript.length === 0 && storedFiles.length > 0,
        `${withScript.length} of ${storedFiles.length} files`,
      );
      return `${storedFiles.length} stored files without it, ${type}`;
    },
  },
  {
    name: "form-tricks",
    tries:
      "a field twice, __proto__, an unknown file field, two files, forty fields, names with paths",
    expected: "refused as malformed or by name, and no file outside of the folder",
    run: async (instance) => {
      const { token } = await instance.person();
      const picture = { field: "image", name: "a.png", type: "image/png", bytes: html };
      const manyFields = Array.from({ length: 40 }, (_, index) => [`f${index}`, "x"] as const);
      const forms = [
        createForm(
          [
            ["coin", "pUSDT"],
            ["coin", "pBTC"],
          ],
          [picture],
        ),
        createForm([["__proto__", "x"]], [picture]),
        createForm([["constructor", "x"]], [{ ...picture, field: "other" }]),
        createForm([], [picture, picture]),
        createForm(manyFields, [picture]),
        createForm([["coin", "x".repeat(5_000)]], [picture]),
      ];
      for (const [index, form] of forms.entries()) {
        const headers = { ...form.headers, "idempotency-key": newKey() };
        const request = { method: "POST", path: "/api/user/recharge", ...form, headers, token };
        const { error, status } = await instance.ask(request);
        expect(error === "request.malformed", `form ${index}: ${status} ${error}`);
      }
      const csv = {
        field: "file",
        name: "../../x",
        type: "text/csv",
        bytes: Buffer.from("1,1,1,1,1,1\n"),
      };
      for (const name of [
        "../../../probe.csv",
        "/tmp/probe.csv",
        "a/b.csv",
        "..\\probe.csv",
        "probe.csv\0",
      ]) {
        const form = createForm(
          [
            ["set_id", "0".repeat(32)],
            ["name", name],
          ],
          [csv],
        );
        const request = { method: "POST", path: "/api/history/uploadHistoryFile", ...form, token };
        const { error } = await instance.ask(request);
        expect(
          error === "history.name_wrong" || error === "request.malformed",
          `${name}: ${error}`,
        );
      }
      expect(globSync(join(instance.data, "**/*probe.csv*")).length === 0, "a file was written");
      return `${forms.length} forms and 5 names refused`;
    },
  },
  {
    name: "stalled-uploads",
    tries: "three uploads that stop after their first bytes",
    expected: "408 request.too_slow within 20 s, and another person's upload is taken meanwhile",
    run: async (instance) => {
      const { token } = await instance.person();
      const stalled = Array.from({ length: 3 }, () => stall(instance.port, token));
      await sleep(500);
      const otherPerson = await instance.person();
      const { error } = await sendPicture(instance, otherPerson, {
        texts: voucherTexts,
        bytes: html,
      });
      expect(error?.startsWith("recharge.") === true, `another person's: ${error}`);
      const answers = await Promise.all(stalled);
      for (const { text, afterMs } of answers)
        expect(
          /^HTTP\/1\.1 408/.test(text) && afterMs < 20_000,
          `${text.slice(0, 40)} after ${afterMs} ms`,
        );
      return `408 after ${Math.max(...answers.map(({ afterMs }) => afterMs))} ms`;
    },
  },
];

/** The answer to an upload that promises a megabyte and sends a little of it. */
function stall(port: number, token: string): Promise<{ text: string; afterMs: number }> {
  const head = [
    "POST /api/user/recharge HTTP/1.1",
    `host: 127.0.0.1:${port}`,
    `token: ${token}`,
    `idempotency-key: ${newKey()}`,
    "content-type: multipart/form-data; boundary=b",
    "content-length: 1000000",
    "",
    '--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n',
  ].join("\r\n");
  const fromMs = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(head));
    let text = "";
    const end = () => {
      socket.destroy();
      resolve({ text, afterMs: Math.round(performance.now() - fromMs) });
    };
    const timer = setTimeout(end, 20_000);
    socket.on("data", (data: Buffer) => {
      text += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      end();
    });
  });
}
