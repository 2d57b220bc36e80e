import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "#api/call.ts";
import { codesMax, pinTries, unlocksMax } from "#core/classes/limits.ts";
import { classTaskNames } from "#core/classes/tasks.ts";
import { backupBytes } from "#core/classes/walletBackup.ts";
import { dayMs, hourMs } from "#core/money/time.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { createTestApp, getCall, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

/** Codes, tasks, backups and room views of classes, in a whole world. */
let ctx: TestContext;
let close: TestApp["close"];
let people: People;
let owner: TestPerson;

beforeAll(async () => {
  ({ ctx, people, close } = await createTestApp());
  owner = await people.operator("owner");
  await people.raise(owner);
});
afterAll(() => close());

const console = (name: string) => getCall(`/api/operator/class/${name}`);
const pupil = (name: string) => getCall(`/api/class/${name}`);
/** Console calls by the owner, whose session they keep awake. */
const act = (name: string, payload: object) => people.data(console(name), payload, owner.token);

async function errorOf(call: Call, payload: object, token = ""): Promise<string> {
  const answer = await people.ask(call, payload as Record<string, unknown>, token);
  return String(answer.json().error ?? "done");
}

/** A class with its codes in the order of their numbers. */
async function classOf(count: number, limit = 40) {
  const expires_at_ms = ctx.realClock.nowMs() + dayMs;
  const created = await act("makeLink", { label: "Class 7b", limit, expires_at_ms });
  const { class_id, code: link } = created.link;
  if (count > 0) await act("makeCodes", { class_id, count });
  const { codes } = await act("getCodes", { class_id });
  return { class_id, link, codes: codes.map(({ code }: { code: string }) => code) as string[] };
}

const newcomer = (invite: string) => people.signIn(undefined, invite);
/** The outcome of a sign-in by a new person with this code: an error name, or `done`. */
async function getJoinOutcome(code: string): Promise<string> {
  return newcomer(code).then(
    () => "done",
    (error: Error) => error.message.replace(/^.*: /, ""),
  );
}

const rows = async (table: string) =>
  (await ctx.owner.pool.query(`select * from ${table}`)).rows as Record<string, unknown>[];

const records = async (person: TestPerson): Promise<string[]> => {
  const { items } = await people.data(
    getCall("/api/user/getTransferRecord"),
    { page_size: "50" },
    person.token,
  );
  return items.flatMap(({ act: entry }: { act: { what: string } | null }) =>
    entry ? [entry.what] : [],
  );
};

const proof = () => randomBytes(32).toString("hex");
const backup = randomBytes(backupBytes).toString("hex");

describe("codes", () => {
  test("a code joins one account, in either case and with or without hyphens", async () => {
    const { class_id, codes } = await classOf(2);
    const [first = ""] = codes;
    expect(first).toMatch(/^[3-9A-Y]{12}$/);
    const input = `${first.slice(0, 4)}-${first.slice(4).toLowerCase()} `;
    const ada = await newcomer(input);
    const { class: ownClass } = await people.data(pupil("getTasks"), {}, ada.token);
    expect(ownClass).toMatchObject({ number: 1, backup: "none" });
    expect(await getJoinOutcome(first)).toBe("class.code_used");
    const { codes: remainingCodes } = await act("getCodes", { class_id });
    expect(remainingCodes).toEqual([
      { number: 1, code: null, used: true },
      { number: 2, code: codes[1], used: false },
    ]);
    const { links } = await act("getClass", {});
    expect(links.find((link: { class_id: string }) => link.class_id === class_id).joined).toBe(1);
  });

  test("a sign-up by link or code belongs to the class and has no inviter to name", async () => {
    const { link, codes } = await classOf(1);
    expect((await newcomer(link)).invite).toBe("class");
    expect((await newcomer(codes[0]!)).invite).toBe("class");
    const { invited } = await people.data(
      getCall("/api/user/getInviteInfo"),
      {},
      (await newcomer(link)).token,
    );
    expect(invited).toMatchObject({ by: "class", answer: null });
  });

  test("a refused code creates no account", async () => {
    const { class_id, codes } = await classOf(2);
    await newcomer(codes[0]!);
    const before = (await rows("user_account")).length;
    expect(await getJoinOutcome(codes[0]!)).toBe("class.code_used");
    expect(await getJoinOutcome("34679ACDEFGH")).toBe("class.code_unknown");
    await act("closeLink", { class_id });
    expect(await getJoinOutcome(codes[1]!)).toBe("class.code_unknown");
    expect((await rows("user_account")).length).toBe(before);
  });

  test("of two concurrent accounts with one code one joins", async () => {
    const { codes } = await classOf(1);
    const [ada, ben] = [await people.signIn(), await people.signIn()];
    const outcomes = await Promise.all(
      [ada, ben].map(({ token }) => errorOf(pupil("join"), { code: codes[0]! }, token)),
    );
    expect(outcomes.toSorted()).toEqual(["class.code_used", "done"]);
  });

  test("an existing account can join once, with one code of the class", async () => {
    const { codes } = await classOf(2);
    const ada = await people.signIn();
    const join = (code: string) => errorOf(pupil("join"), { code }, ada.token);
    expect(await join(codes[0]!)).toBe("done");
    expect(await join(codes[0]!)).toBe("done");
    expect(await join(codes[1]!)).toBe("class.already_joined");
    expect(await getJoinOutcome(codes[1]!)).toBe("done");
  });

  test("with sign-up limited to class links, a code admits a new person", async () => {
    const { codes } = await classOf(1);
    await people.raise(owner);
    await act("setSignUp", { sign_up: "class_links", was: "open" });
    expect(await getJoinOutcome("")).toBe("session.sign_up_closed");
    expect(await getJoinOutcome(codes[0]!)).toBe("done");
    expect(await getJoinOutcome(codes[0]!)).toBe("class.code_used");
    await people.raise(owner);
    await act("setSignUp", { sign_up: "open", was: "class_links" });
  });

  test("a class has at most 40 codes and at most as many as its link has places", async () => {
    const { class_id } = await classOf(codesMax, 500);
    const oneMore = { class_id, count: 1 };
    expect(await errorOf(console("makeCodes"), oneMore, owner.token)).toBe("class.too_many_codes");
    const small = await classOf(2, 3);
    expect(await getJoinOutcome(small.link)).toBe("done");
    expect(
      await errorOf(console("makeCodes"), { ...oneMore, class_id: small.class_id }, owner.token),
    ).toBe("class.too_many_codes");
    // The codes keep their places, so the link has none left.
    const latecomer = await newcomer(small.link);
    expect((await people.data(pupil("getTasks"), {}, latecomer.token)).class).toBeNull();
    expect(await getJoinOutcome(small.codes[1]!)).toBe("done");
  });

  test("codes are stored encrypted and deleted once used", async () => {
    const { class_id, codes } = await classOf(2);
    await newcomer(codes[0]!);
    const ownCodes = (await rows("class_code")).filter((row) => row.class_id === class_id);
    expect(ownCodes).toHaveLength(2);
    for (const row of ownCodes)
      for (const value of Object.values(row))
        for (const code of codes) {
          expect(String(value)).not.toContain(code);
          if (Buffer.isBuffer(value)) expect(value.includes(code)).toBe(false);
        }
    expect(ownCodes.filter((row) => row.code_encrypted === null)).toHaveLength(1);
  });

  test("only wrong codes are rate limited per network", async () => {
    const { codes } = await classOf(1);
    ctx.realClock.advanceMs(hourMs / 4);
    const find = (code: string) => errorOf(pupil("findCode"), { code });
    const outcomes: string[] = [];
    for (let attemptIndex = 0; attemptIndex < 22; attemptIndex += 1)
      outcomes.push(await find("34679ACDEFGH"));
    expect(new Set(outcomes.slice(0, 20))).toEqual(new Set(["class.code_unknown"]));
    expect(outcomes.at(-1)).toBe("request.too_many");
    expect(await find(codes[0]!)).toBe("done");
    ctx.realClock.advanceMs(hourMs / 4);
  });
});

describe("tasks", () => {
  test("withdrawing everything is always one of the tasks", async () => {
    const { class_id, codes } = await classOf(1);
    expect((await act("getCodes", { class_id })).tasks).toEqual(classTaskNames);
    const { tasks } = await act("setTasks", { class_id, tasks: ["price", "receipt", "price"] });
    expect(tasks).toEqual(["receipt", "price", "withdraw"]);
    expect((await people.data(pupil("findCode"), { code: codes[0]! })).tasks).toEqual(tasks);
  });

  test("a report counts for a set task of the reporter's class", async () => {
    const { class_id, codes } = await classOf(1);
    await act("setTasks", { class_id, tasks: ["receipt"] });
    const ada = await newcomer(codes[0]!);
    const report = (task: string, token = ada.token) =>
      errorOf(pupil("reportTask"), { task }, token);
    expect(await report("price")).toBe("class.task_not_set");
    expect(await report("withdraw")).toBe("request.malformed");
    expect(await report("receipt")).toBe("done");
    expect(await report("receipt")).toBe("done");
    const stranger = await people.signIn();
    expect(await report("receipt", stranger.token)).toBe("class.not_joined");
    const { class: ownClass } = await people.data(pupil("getTasks"), {}, ada.token);
    expect(ownClass.tasks).toEqual([
      { task: "receipt", done: true },
      { task: "withdraw", done: false },
    ]);
  });

  test("withdrawing everything is done once the whole balance left and was not cancelled", async () => {
    const { codes } = await classOf(1);
    const ada = await newcomer(codes[0]!);
    const listDone = async () =>
      (await people.data(pupil("getTasks"), {}, ada.token)).class.tasks
        .filter((task: { done: boolean }) => task.done)
        .map(({ task }: { task: string }) => task);
    expect(await listDone()).toEqual([]);
    const { rows: attempts } = await ctx.owner.pool.query(
      "select attempt_id from user_attempt where user_id = $1",
      [ada.userId],
    );
    const withdrawal = async (id: string, isWhole: boolean, outcome: string | null) =>
      ctx.owner.pool.query(
        `insert into withdrawal (id, user_id, attempt_id, coin, amount, fee, is_whole_balance,
           network, address_encrypted, placed_at_ms, placed_real_ms, cancel_until_ms, outcome,
           ended_by, ended_at_ms, ended_journal)
         values ($1, $2, $3, 'pUSDT', 10, 1, $4, 'x', '', 0, 0, 0, $5::text,
           case when $5::text is null then null else 'person' end,
           case when $5::text is null then null else 0 end,
           case when $5::text is null then null else $1::uuid end)`,
        [id, ada.userId, attempts[0].attempt_id, isWhole, outcome],
      );
    await withdrawal("00000000-0000-4000-8000-000000000001", false, null);
    await withdrawal("00000000-0000-4000-8000-000000000002", true, "cancelled");
    expect(await listDone()).toEqual([]);
    await withdrawal("00000000-0000-4000-8000-000000000003", true, null);
    expect(await listDone()).toEqual(["withdraw"]);
    await ctx.owner.pool.query("delete from withdrawal where user_id = $1", [ada.userId]);
  });
});

describe("the room view", () => {
  test("the room view shows only numbers and tasks, and each pupil's records name the look", async () => {
    const { class_id, codes } = await classOf(3);
    const ada = await newcomer(codes[0]!);
    await people.data(pupil("reportTask"), { task: "price" }, ada.token);
    const { look_id } = await act("openRoom", { class_id });
    expect(await records(ada)).toEqual(["Class tasks viewed, code by code"]);
    const room = await act("getRoom", { look_id });
    expect(room.codes).toEqual([
      { number: 1, joined: true, done: ["price"] },
      { number: 2, joined: false, done: [] },
      { number: 3, joined: false, done: [] },
    ]);
    expect(Object.keys(room).toSorted()).toEqual(["codes", "ends_at_ms", "now_ms", "tasks"]);
    const text = JSON.stringify(room);
    for (const secret of [ada.userId, ...codes]) expect(text).not.toContain(secret);
    // Viewing again continues the same look; pupils who have joined in the meantime are notified
    // before they are shown.
    const ben = await newcomer(codes[2]!);
    expect(await records(ben)).toEqual([]);
    const laterRoom = await act("getRoom", { look_id });
    expect(laterRoom.codes[2]).toEqual({ number: 3, joined: true, done: [] });
    await act("getRoom", { look_id });
    expect(await records(ben)).toEqual(["Class tasks viewed, code by code"]);
    expect(await records(ada)).toEqual(["Class tasks viewed, code by code"]);
    await act("openRoom", { class_id });
    expect(await records(ada)).toHaveLength(2);
  });

  test("a look ends after an hour and with its class, and is open to its operator only", async () => {
    const { class_id } = await classOf(1);
    const open = async () => (await act("openRoom", { class_id })).look_id as string;
    const readRoom = (look_id: string, token = owner.token) =>
      errorOf(console("getRoom"), { look_id }, token);
    const roomView = await open();
    const otherOperator = await people.operator("publisher", owner);
    expect(await readRoom(roomView)).toBe("done");
    expect(await readRoom(roomView, otherOperator.token)).toBe("class.look_over");
    ctx.realClock.advanceMs(hourMs);
    expect(await readRoom(roomView)).toBe("class.look_over");
    expect(await readRoom("nonsense")).toBe("class.look_over");
    const next = await open();
    await act("closeLink", { class_id });
    expect(await readRoom(next)).toBe("class.look_over");
  });

  test("the export has one row per code, readable headings and no names", async () => {
    const { class_id, codes } = await classOf(2);
    const ada = await newcomer(codes[1]!);
    await people.data(pupil("reportTask"), { task: "receipt" }, ada.token);
    await act("setTasks", { class_id, tasks: ["receipt"] });
    const answer = await people.ask(console("exportRoom"), { class_id }, owner.token);
    expect(answer.headers["content-disposition"]).toContain("drydock-practice-class.csv");
    expect(answer.body).toBe(
      [
        "\uFEFFpractice_only_no_value,world,Code number,Has joined,Check a receipt you doubt,Withdraw everything",
        `"practice, backed by nothing",${ctx.world.name},1,No,No,No`,
        `"practice, backed by nothing",${ctx.world.name},2,Yes,Yes,No`,
        "",
      ].join("\r\n"),
    );
    expect(await records(ada)).toEqual(["Class tasks exported, code by code"]);
    const german = { class_id, language: "de" };
    const otherAnswer = await people.ask(console("exportRoom"), german, owner.token);
    expect(otherAnswer.body).not.toContain("Code number");
    await act("closeLink", { class_id });
    expect(await errorOf(console("exportRoom"), { class_id }, owner.token)).toBe(
      "class.link_unknown",
    );
  });
});

describe("a backup under code and PIN", () => {
  const pupilWithBackup = async () => {
    const { class_id, codes } = await classOf(2);
    const [code = "", other = ""] = codes;
    const ada = await newcomer(code);
    const right = proof();
    await people.data(pupil("storeBackup"), { code, proof: right, backup }, ada.token);
    const open = (proof: string) => errorOf(pupil("openBackup"), { code, proof: proof });
    return { class_id, code, other, ada, right, open };
  };

  test("code and PIN open the backup, and a right PIN resets the count", async () => {
    const { code, other, right, open } = await pupilWithBackup();
    for (let round = 0; round < 2; round += 1) {
      for (let attempt = 1; attempt < pinTries; attempt += 1)
        expect(await open(proof())).toBe("class.pin_wrong");
      expect(await people.data(pupil("openBackup"), { code, proof: right })).toEqual({ backup });
    }
    const noneError = await errorOf(pupil("openBackup"), { code: other, proof: right });
    expect(noneError).toBe("class.no_backup");
  });

  test("five wrong PINs lock the backup, even concurrent ones, and the pupil sees its unlocking", async () => {
    const { class_id, ada, right, open } = await pupilWithBackup();
    const unlock = () => errorOf(console("unlockBackup"), { class_id, number: 1 }, owner.token);
    expect(await unlock()).toBe("class.not_locked");
    await Promise.all(Array.from({ length: 8 }, () => open(proof())));
    expect(await open(right)).toBe("class.pin_locked");
    ctx.realClock.advanceMs(hourMs);
    expect(await open(right)).toBe("class.pin_locked");
    await people.raise(owner);
    expect(await unlock()).toBe("done");
    expect(await open(right)).toBe("done");
    const signedInAgain = await people.signIn(ada.key);
    expect(await records(signedInAgain)).toEqual([
      "Wallet backup unlocked for five more PIN tries",
    ]);
  });

  test("a backup is unlocked at most ten times, even with a new PIN", async () => {
    const { class_id, code, ada, open } = await pupilWithBackup();
    const lock = async () => {
      for (let attempt = 0; attempt < pinTries; attempt += 1) await open(proof());
    };
    const unlock = () => errorOf(console("unlockBackup"), { class_id, number: 1 }, owner.token);
    for (let round = 0; round < unlocksMax; round += 1) {
      await lock();
      expect(await unlock()).toBe("done");
    }
    await people.data(pupil("storeBackup"), { code, proof: proof(), backup }, ada.token);
    await lock();
    expect(await unlock()).toBe("class.too_many_unlocks");
  });

  test("a backup cannot be stored under someone else's code", async () => {
    const { code, right, open } = await pupilWithBackup();
    const eve = await people.signIn();
    const input = { code, proof: proof(), backup };
    expect(await errorOf(pupil("storeBackup"), input, eve.token)).toBe("class.code_unknown");
    expect(await open(right)).toBe("done");
  });

  test("proof and backup are stored in another form than sent", async () => {
    const { right } = await pupilWithBackup();
    const storedRows = (await rows("class_wallet"))
      .flatMap((row) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString("hex") : String(value)))
      .join(" ");
    expect(storedRows).not.toContain(right);
    expect(storedRows).not.toContain(backup.slice(48));
  });
});

describe("the end of a class", () => {
  const tables = ["class_code", "class_tasks", "class_task_done", "class_wallet", "class_look"];
  const readRemaining = async (classId: string) => {
    const counts = await Promise.all(
      tables.map(async (table) => (await rows(table)).filter((row) => row.class_id === classId)),
    );
    return counts.flat().length;
  };
  const fullClass = async () => {
    const { class_id, codes } = await classOf(2);
    const ada = await newcomer(codes[0]!);
    await act("setTasks", { class_id, tasks: ["price"] });
    await people.data(pupil("reportTask"), { task: "price" }, ada.token);
    const storedBackup = { code: codes[0]!, proof: proof(), backup };
    await people.data(pupil("storeBackup"), storedBackup, ada.token);
    await act("openRoom", { class_id });
    return { class_id, codes, ada };
  };

  test("closing its link deletes codes, tasks, backups and looks; the account stays", async () => {
    const { class_id, ada } = await fullClass();
    const otherClass = await fullClass();
    expect(await readRemaining(class_id)).toBe(6);
    await act("closeLink", { class_id });
    expect(await readRemaining(class_id)).toBe(0);
    expect(await readRemaining(otherClass.class_id)).toBe(6);
    expect((await people.data(pupil("getTasks"), {}, ada.token)).class).toBeNull();
    const { items } = await people.data(
      getCall("/api/user/getTransferRecord"),
      { page_size: "50" },
      ada.token,
    );
    expect(items.length).toBeGreaterThan(0);
  });

  test("an expired class admits no one, and a job deletes its rows", async () => {
    const { class_id, codes } = await fullClass();
    ctx.realClock.advanceMs(dayMs);
    const code = { code: codes[1]! };
    expect(await errorOf(pupil("findCode"), code)).toBe("class.code_over");
    expect(await getJoinOutcome(codes[1]!)).toBe("class.code_over");
    expect(await readRemaining(class_id)).toBe(6);
    await ctx.jobs.runNow("classes.purge");
    expect(await readRemaining(class_id)).toBe(0);
  });
});
