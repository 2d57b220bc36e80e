import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Backtest, BacktestSource } from "#api/backtest.ts";
import { BacktestRun, runBacktest } from "#core/backtest/backtest.ts";
import { backtestLimits } from "#core/backtest/limits.ts";
import { findCommonSpan, replayMoments, type Series } from "#core/backtest/replayMoments.ts";
import { parseBars } from "#core/market/replay/bars.ts";
import { BarSeries } from "#core/market/replay/series.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { type BacktestService, createBacktest } from "#server/backtest/backtests.ts";
import { backtestRoutes } from "#server/backtest/routes.ts";
import { createBarFile, createRecording, recordedMs, toMs } from "#server/market/replay/testing.ts";
import type { App } from "#server/platform/http/context.ts";
import { appRole } from "#server/postgres/embedded.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let backtest: BacktestService;
let app: App;
let token: string;
beforeAll(async () => {
  ctx = await createTestContext();
  backtest = await createBacktest(ctx, { recording: null });
  ctx.jobs.add(backtest.jobs);
  app = await createTestApp(
    ctx,
    (app) => backtestRoutes(app, backtest),
    async (userId) => {
      await ctx.fieldEncryption.createKey(userId);
      return { sessionId: userId, userId, attemptId: userId, expiresAtMs: 9e15 };
    },
  );
});
afterAll(async () => {
  await app.close();
  await backtest.close();
  await ctx.destroy();
});
beforeEach(() => {
  token = randomUUID();
});

/** Two venues that drift apart and back, so that there is something to trade. */
const filesApart = (minutes: number) => ({
  "east.BTC-USDT.1m.csv": createBarFile(minutes, (m) => `${20_000 + (m % 30)}.00`),
  "west.BTC-USDT.1m.csv": createBarFile(
    minutes,
    (m) => `${20_000 + (m % 30) + (m % 40 < 5 ? 120 : 0)}.00`,
  ),
});
const newSet = () => randomBytes(16).toString("hex");

async function ask(method: "GET" | "POST", path: string, input: Record<string, unknown> = {}) {
  const answer = await app.inject({
    method,
    url: `/api/history/${path}`,
    headers: { token },
    ...(method === "GET" ? { query: input as Record<string, string> } : { payload: input }),
  });
  const body = answer.json();
  return { status: answer.statusCode, error: body.error ?? null, data: body.data };
}

async function bring(setId: string, name: string, text: string) {
  const boundary = "----prices";
  const field = (key: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
  const payload = `${field("set_id", setId)}${field("name", name)}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\ncontent-type: text/csv\r\n\r\n${text}\r\n--${boundary}--\r\n`;
  const answer = await app.inject({
    method: "POST",
    url: "/api/history/uploadHistoryFile",
    headers: { token, "content-type": `multipart/form-data; boundary=${boundary}` },
    payload,
  });
  const body = answer.json();
  return { status: answer.statusCode, error: body.error ?? null, data: body.data };
}

async function bringAll(files: Record<string, string>): Promise<BacktestSource> {
  const setId = newSet();
  for (const [name, text] of Object.entries(files)) {
    expect(await bring(setId, name, text)).toMatchObject({ error: null });
  }
  const answer = await ask("POST", "keepHistoryFiles", {
    set_id: setId,
    files: Object.keys(files).length,
  });
  expect(answer.error).toBe(null);
  return answer.data;
}

const start = (source: BacktestSource, change: Record<string, unknown> = {}) => {
  const { pool, from_ms, to_ms } = source.pools[0]!;
  return ask("POST", "runHistoryTest", {
    source: "files",
    pool,
    from_ms,
    to_ms,
    margin_bp: 2,
    ...change,
  });
};

async function untilEnded(id: string): Promise<Backtest> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { error, data } = await ask("GET", "findHistoryTest", { run_id: id });
    // On a slow machine all polls of a second may come together.
    const isOver = error === null && !["waiting", "running"].includes(data.test.status);
    if (isOver) return data.test;
    if (error !== null) expect(error).toBe("request.too_many");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the test did not end");
}

const blobs = () => {
  try {
    return readdirSync(join(ctx.config.dataDirectory, "blobs", ctx.world.name, "history")).filter(
      (name) => !name.endsWith(".part"),
    );
  } catch {
    return [];
  }
};

describe("a set of files is accepted whole or not at all", () => {
  test("a malformed line is reported by file and line, and earlier files are dropped", async () => {
    const before = blobs().length;
    const setId = newSet();
    const validFile = createBarFile(3, () => "1.0");
    expect((await bring(setId, "east.BTC-USDT.1m.csv", validFile)).error).toBe(null);
    const badAnswer = await bring(
      setId,
      "west.BTC-USDT.1m.csv",
      `${validFile}${toMs(3) / 1_000},1,1,one,1,1\n`,
    );
    expect(badAnswer).toMatchObject({
      status: 422,
      error: "history.bad_line",
      data: { file: "west.BTC-USDT.1m.csv", line: 5, fault: "not_a_number" },
    });
    expect(blobs()).toHaveLength(before);
    const answer = await ask("POST", "keepHistoryFiles", { set_id: setId, files: 1 });
    expect(answer.error).toBe("history.set_unknown");
    expect((await ask("GET", "getHistorySources")).data.files).toBe(null);
  });

  test("with too many files in flight only the last is refused and may be resent", async () => {
    await ask("GET", "getHistorySources");
    const setId = newSet();
    const bytes = Buffer.from(createBarFile(3, () => "1.0"));
    const add = (venue: string) =>
      backtest.files
        .add(token, { setId, name: `${venue}.BTC-USDT.1m.csv`, bytes })
        .then(() => null)
        .catch(({ error }) => error);
    expect(await add("east")).toBe(null);
    const answers = await Promise.all(["west", "north", "south", "upper"].map(add));
    expect(answers).toEqual([null, null, null, "request.too_many"]);
    expect(await add("upper")).toBe(null);
    const retained = await backtest.files.retain(token, { setId, files: 5 });
    expect(retained.files).toHaveLength(5);
  });

  test("an incomplete set is refused", async () => {
    const setId = newSet();
    await bring(
      setId,
      "east.BTC-USDT.1m.csv",
      createBarFile(3, () => "1.0"),
    );
    const answer = await ask("POST", "keepHistoryFiles", { set_id: setId, files: 2 });
    expect(answer.error).toBe("history.set_unknown");
  });

  test.each([
    ["another name", "prices.csv", "x", "history.name_wrong"],
    ["an unknown symbol", "east.BTC-EUR.1m.csv", "x", "history.name_wrong"],
    ["a picture named like a price file", "east.BTC-USDT.1m.csv", "\u0089PNG", "history.bad_line"],
    [
      "a file beyond the size limit",
      "east.BTC-USDT.1m.csv",
      "1".repeat(backtestLimits.file_bytes + 1),
      "history.too_large",
    ],
  ] as const)("%s is refused", async (_, name, text, error) => {
    expect((await bring(newSet(), name, text)).error).toBe(error);
  });

  test("the thirteenth file is refused together with its set", async () => {
    const setId = newSet();
    const text = createBarFile(2, () => "1.0");
    for (let n = 0; n < backtestLimits.files; n += 1) {
      expect((await bring(setId, `v${n}.BTC-USDT.1m.csv`, text)).error).toBe(null);
    }
    const file = await bring(setId, "last.BTC-USDT.1m.csv", text);
    expect(file.error).toBe("history.too_many_files");
    const answer = await ask("POST", "keepHistoryFiles", { set_id: setId, files: 12 });
    expect(answer.error).toBe("history.set_unknown");
  });

  test("a new set replaces the old one, and sets are purged after a day", async () => {
    await bringAll(filesApart(5));
    const source = await bringAll({ "east.BTC-USDT.1m.csv": createBarFile(9, () => "1.0") });
    expect(source.files.map(({ name }) => name)).toEqual(["east.BTC-USDT.1m.csv"]);
    const nowMs = ctx.realClock.nowMs();
    ctx.realClock.setMs(nowMs + backtestLimits.files_kept_ms + 1);
    expect((await ask("GET", "getHistorySources")).data.files).toBe(null);
    await ctx.jobs.runNow("backtest.sweep");
    expect(blobs()).toEqual([]);
    ctx.realClock.setMs(nowMs);
  });
});

describe("a backtest", () => {
  test("the service returns exactly the engine's result for the same files", async () => {
    const files = filesApart(600);
    const source = await bringAll(files);
    expect(source.pools.map(({ strategy }) => strategy)).toEqual(["cross", "hold", "hold"]);
    const { data: startedRun } = await start(source);
    expect((await untilEnded(startedRun.run_id)).status).toBe("over");
    const { result, test: finishedTest } = (
      await ask("GET", "findHistoryTest", { run_id: startedRun.run_id })
    ).data;
    const series: Series[] = Object.entries(files).map(([name, text]) => {
      const result = parseBars(text, 2);
      if (!result.ok) throw new Error(name);
      return { venue: name.slice(0, 4), symbol: "BTC/USDT", bars: new BarSeries(result.bars) };
    });
    const run = new BacktestRun(
      { strategy: "cross", venues: ["east", "west"], symbols: ["BTC/USDT"], home: "USDT" },
      "realistic",
    );
    for (const _ of runBacktest([run], replayMoments(series), findCommonSpan(series)));
    const expected = run.result();
    const outcome = result.outcomes.find(
      (outcome: { friction: string }) => outcome.friction === "realistic",
    );
    expect(expected.counters.trades).toBeGreaterThan(0);
    expect([outcome.worth, outcome.trades, outcome.fees]).toEqual([
      formatDecimal(expected.worth, 6, true),
      expected.counters.trades,
      formatDecimal(expected.counters.fees, 6, true),
    ]);
    expect(result.look_ahead).toEqual({ cuts: 2, peek: null });
    expect(result.line.at(-1).realistic).toBe(outcome.worth);
    expect([finishedTest.tried, finishedTest.above]).toEqual([1, 0]);
    const page = await ask("GET", "getHistoryTrades", {
      run_id: startedRun.run_id,
      friction: "realistic",
      page_size: "5",
    });
    expect(page.data.items).toHaveLength(5);
    const csv = await app.inject({
      url: `/api/history/exportHistoryTest?run_id=${startedRun.run_id}&friction=realistic&format=csv&what=days`,
      headers: { token },
    });
    expect(csv.body.split("\r\n")[1]).toContain(`,${outcome.worth}`);
  });

  test("a heartbeat that cannot be written does not end the run", async () => {
    const { pool } = ctx.owner;
    // Sequences are not rolled back: the first progress fails, and no other.
    await pool.query(`
      create sequence heartbeats;
      grant usage on sequence heartbeats to ${appRole};
      create function fail_first() returns trigger language plpgsql as $$
      begin
        if new.status = 'running' and nextval('heartbeats') = 1 then raise 'no connection'; end if;
        return new;
      end $$;
      create trigger fail_first before update on backtest_run
        for each row execute function fail_first()`);
    const source = await bringAll(filesApart(20_000));
    const { data: run } = await start(source);
    expect((await untilEnded(run.run_id)).status).toBe("over");
    const { rows } = await pool.query("select last_value, is_called from heartbeats");
    expect(rows[0].is_called).toBe(true);
    await pool.query("drop trigger fail_first on backtest_run; drop function fail_first()");
  });

  test("a repeated setting counts once and another one twice", async () => {
    const source = await bringAll(filesApart(120));
    for (const [margin, trials] of [
      [2, 1],
      [2, 1],
      [5, 2],
    ]) {
      const { data } = await start(source, { margin_bp: margin });
      expect((await untilEnded(data.run_id)).tried).toBe(trials);
    }
  });

  test("a second concurrent run is refused, and cancelling a run removes its data", async () => {
    const source = await bringAll(filesApart(20_000));
    const first = await start(source);
    expect(first.error).toBe(null);
    expect(await start(source)).toMatchObject({ status: 409, error: "history.busy" });
    expect((await ask("POST", "removeHistoryFiles")).error).toBe("history.busy");
    const run_id = first.data.run_id;
    const cancelAnswer = await ask("POST", "cancelHistoryTest", { run_id });
    expect(cancelAnswer.data.status).toBe("cancelled");
    await new Promise((resolve) => setTimeout(resolve, 500));
    const answer = await ask("GET", "findHistoryTest", { run_id });
    expect([answer.data.test.status, answer.data.result]).toEqual(["cancelled", null]);
    const second = await start(source);
    expect(second.error).toBe(null);
    await ask("POST", "cancelHistoryTest", { run_id: second.data.run_id });
  });

  test.each([
    ["a period beyond the data", { to_ms: toMs(9_999) }, "history.period_wrong"],
    ["an empty period", { to_ms: recordedMs }, "history.period_wrong"],
    [
      "a pool that the files do not support",
      { pool: "hold ETH/USDT @ east" },
      "history.pool_unknown",
    ],
    ["a recording in a world without one", { source: "world" }, "history.no_files"],
    ["a margin out of range", { margin_bp: 1_001 }, "request.malformed"],
  ] as const)("%s is refused", async (_, change, error) => {
    const source = await bringAll(filesApart(10));
    expect((await start(source, change)).error).toBe(error);
  });

  test("another person's run is unknown", async () => {
    const { data } = await start(await bringAll(filesApart(10)));
    await untilEnded(data.run_id);
    token = randomUUID();
    const answer = await ask("GET", "findHistoryTest", { run_id: data.run_id });
    expect(answer.error).toBe("history.run_unknown");
  });
});

test("a recording is available up to world time only", async () => {
  const recording = await createRecording(filesApart(60));
  const { createRecordedPrices } = await import("#server/backtest/recorded.ts");
  const { writeFolder } = await import("#server/market/replay/testing.ts");
  const { folder, remove } = writeFolder(filesApart(60));
  const recordedPrices = await createRecordedPrices({ ...recording, folder });
  remove();
  expect(recordedPrices.source(toMs(0))).toBe(null);
  expect(recordedPrices.source(toMs(20, 30))?.to_ms).toBe(toMs(20));
  expect(recordedPrices.source(toMs(90))?.to_ms).toBe(toMs(60));
});
