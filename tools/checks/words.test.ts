import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * One word per thing: words replaced by a term of the field (docs/glossary.md) may not return in
 * names, nor the worst of them in comments. Names are split at capitals and underscores.
 */
const root = join(import.meta.dirname, "../..");
const folders = "{api,build,core,e2e,operator,seed,server,tools,ui,verify,web}";

/**
 * Words no longer used, and their replacements. Two words match two consecutive parts of a name.
 */
const banned: Readonly<Record<string, string>> = {
  aiPage: "hosting",
  adopt: "recordSeeded",
  adoption: "seededProducts",
  announce: "notify",
  asker: "owner",
  briefly: "ttlCache",
  briefMemory: "TtlCache",
  callError: "ApiError",
  candle: "kline",
  candled: "klinesUntil",
  candles: "klines",
  companion: "hook (onPosted)",
  consoleAct: "auditEvent",
  deed: "action, or audit event",
  deeds: "actions, or audit events",
  door: "postJournals, or deps",
  enterGate: "lockShared",
  exportOf: "exportFor",
  follower: "afterAppend",
  gate: "acceptLock",
  groupReads: "batchReads",
  hubSlot: "lateBoundHub",
  hear: "onMessage, onChange, onKeyDown",
  intents: "idempotencyKeys",
  judge: "check, validate or decide",
  judged: "checked, validated or resolved",
  judgement: "state",
  keepBriefly: "ttlCache",
  lazyPart: "lazyComponent",
  lazyScreen: "lazyPage",
  looking: "imageDecoder",
  methodsOfTheDoor: "walletMethods",
  moneyRoute: "idempotentRoute",
  needMessages: "loadMessages",
  needs: "deps",
  onShelf: "isListed",
  onlyOne: "singleton",
  ownerMark: "ownerCommitment",
  patchAnswer: "updateCached",
  patchAnswers: "updateAllCached",
  patiently: "retrying",
  payWhatIsThere: "payOwedFromCash",
  placing: "order placement",
  postsFirst: "optimistic",
  quickOrders: "orderBulkInsert",
  quickPost: "BulkPath",
  raised: "elevated",
  raising: "elevation",
  remembered: "stored",
  said: "message, output or answer",
  saidOf: "outcomeOf",
  sealed: "encrypted",
  sealing: "fieldEncryption",
  seat: "operatorSession",
  seats: "operatorSessions",
  seller: "deps",
  sellers: "deps",
  sentence: "errorMessage",
  shelf: "listed",
  takesKey: "requiresIdempotencyKey",
  takings: "pnl",
  testOnHistory: "runBacktest",
  theirs: "remote",
  tell: "notify, send or report",
  telling: "notifying",
  told: "notified",
  unhashed: "excludeFromHash",
  unlessManaged: "ifNotOverridden",
  untold: "pending",
  verdict: "result or report",
  useCall: "useApiQuery",
  useRemembered: "usePersistentState",
  useSend: "useApiMutation",
  watchedFetch: "sessionAwareFetch",
  wish: "params",
  wishes: "params, or subscriptions",
  workshop: "voucherMaker, or specimenMaker",
};

/** Whole names: a type is a noun, as in `PendingPosting`, and a column says its unit and its kind. */
const bannedNames: Readonly<Record<string, string>> = {
  Altered: "AlteredFile, AlteredReceipt",
  Answered: "AnsweredCall",
  Around: "DayContext",
  Asked: "InboxQuery",
  AskedAnswer: "QueryResult",
  AtVenue: "VenueExecution",
  Begun: "SeedBegin",
  Checked: "CheckedChain, CheckedCopy",
  Committed: "LiabilityCommitment",
  Companion: "PostHook",
  Cosigned: "CosignedCheckpoint, CosignatureReport",
  Decided: "DecidedOrder",
  Due: "DueReward, ExpectedLeg",
  Ended: "EndedLease",
  Executed: "ExecutedOrder",
  Falsified: "FalsifiedVector",
  Flat: "FlatBook",
  ForReaders: "PublishedContent",
  Found: "a name that says what was found",
  FromLive: "LiveMessage",
  Given: "a name that says what was given",
  Habit: "PriceColours",
  HadFault: "InjectedFault",
  Held: "AttemptHoldings, PoolHolding",
  InLine: "ReadInvested",
  Kept: "KeptAcknowledgement",
  Left: "PoolAfterMark",
  Listed: "ListItem",
  Looking: "ImageDecoder",
  Loose: "UntypedObject",
  Made: "a name that says what was made",
  Marked: "LabelledReceipt",
  Met: "CheckedModules",
  Mixed: "MixedSeed",
  Moving: "PendingTransfer",
  OnTheWay: "PendingOrder",
  Opened: "ReceiptContext",
  Outer: "ReceiptHeader",
  Parts: "AppContext (ctx)",
  Placed: "PlacedOrder",
  Positioned: "OrderTerms",
  Posted: "PostedJournal",
  Quoted: "QuoteAmounts",
  Refusal: "ApiError",
  RunningOff: "OpenPositions",
  Settled: "Settlement",
  Staged: "StageTampering",
  Stated: "ReceiptStatement, StatedValue",
  StatedPostings: "ExpectedPostings",
  Succeeded: "LogSuccessor",
  TestedOnHistory: "PoolHistoryTest",
  ToLive: "LiveCommand",
  Told: "a name that says what was told",
  Tried: "TamperingResult",
  Unmet: "MissingDeps",
  Waiting: "PendingPosting, QueuedRequest",
  Walked: "BookWalk",
  Wanted: "LeaseParams, DefaultPool",
  Whose: "AttemptOwner",
  Within: "AmountsByAttempt",
  WithinShare: "WithExposureCap",
  Work: "MarkBatch",
  Arrival: "ScrollRestoration",
  PhoneProps: "PhonePreviewProps",
  RailLink: "SideNavLink",
  act_reason_encrypted: "early_payment_reason_encrypted",
  codeFault: "codeError",
  contract_settlement_id: "settlement_journal_id, which it returns",
  exchange_at_venues: "exchange_venue_comparison",
  giveUp: "abandonOrder",
  goThrough: "replayBetweenMarks",
  heldInstead: "buyAndHoldValue",
  holeMs: "gapMs",
  hosting_mark_id: "hosting_journal_id, which it returns",
  identity_drawn: "identity_specimen_quota",
  leastGiven: "minimumSold",
  listMembers: "listOperators",
  loadInTime: "loadWithTimeout",
  lockMembers: "lockOperators",
  made_real_ms: "created_real_ms",
  mining_payout_id: "payout_journal_id, which it returns",
  move_holds: "apply_holds",
  move_limits: "apply_limits",
  p_run: "p_leaf, p_run_leaf",
  placeGroups: "navigationGroups",
  saySeed: "describeSeed",
  takeOrder: "updateRunningOrder",
  useFirstPicture: "useFirstRenderDone",
  contradictionOf: "findContradiction",
  createSleeper: "createWakeOnRequest",
  fetchOwed: "planOwedTransfers",
  formatRealTime: "toRealMs",
  holdsConstants: "matchesFixedTerms",
  leaveOne: "complete",
  ownDatabase: "isDatabaseExternal",
  powerPerDay: "powerCostPerDay",
  receiptPath: "receiptUrl",
  withinShare: "withExposureCap, withStockCap",
};

/** Endings of type names that another ending replaced; `PublishingProblem` is the wire's word. */
const bannedEndings: readonly (readonly [RegExp, string])[] = [
  [/Refusal$/, "Error"],
  [/(?<!^Publishing|^Draft|^Text)Problem$/, "Error"],
  [/(?:Difference|Deviation|Discrepancy)$/, "Mismatch"],
  [/(?<!^|Computed|Source)Reading$/, "Result"],
  [/Verdict$/, "Result, Report"],
];

/** Exact names that keep such a word, and why. */
const allowed: Readonly<Record<string, string>> = {
  needs: "the field of a module that names other modules (server/module/module.ts)",
  Needs: "the type of that field",
  sortByNeeds: "sorts modules by that field",
  AnnounceSheet: "shows the call `announce`",
  Placing: "a word on a button of the gallery",
  announce: "a call's own name",
  candle: "klinecharts' name for its style",
  candlePane: "klinecharts' name for its pane",
  mayAnnounce: "who may make the call `announce`",
  raised: "a field of the wire, and of the audit's event names",
  raised_until_ms: "a field of the wire",
};

/** Banned in comments. */
const bannedInComments: readonly (readonly [RegExp, string])[] = [
  [/\bcompanions?\b/i, "hook"],
  [/\bthe gate\b/i, "the accept lock"],
  [/\b(?:common|quick) way\b/i, "fallback path, bulk path"],
  [/\bon the shelf\b|\boff the shelf\b/i, "listed, delisted"],
  [/\bdeeds?\b/i, "action, audit event"],
  [/\bSQL door\b/i, "post_journals"],
  [/\bcandles?\b/i, "kline"],
  [
    /^\/[/*][\s*]*(?:What|Whatever|Whether|Who|Whoever|Whose)\b/,
    "the thing, or for a condition: Returns true if, True if, Checks that",
  ],
];

/** Banned in the titles of tests. */
const bannedInTitles: readonly (readonly [RegExp, string])[] = [
  [/\bgates?\b/i, "accept lock"],
  [/\bcompanions?\b/i, "post hook"],
  [/\bshelf\b/i, "listed, delisted"],
  [/\bseal(?:s|ed)?\b/i, "encrypted"],
  [/\bintents?\b/i, "idempotency key"],
  [/\brais\w+ powers\b|\bpowers are raised\b/i, "elevation, elevated permissions"],
  [/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|one\b)[a-z]+/i, "is not a"],
  [/\bat once\b/i, "immediately, concurrently"],
  [/\b(?:whatever|whoever)\b/i, "the thing, the person"],
  [/\b(?:is|are) not there\b/i, "is missing, does not exist"],
];

const words = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
const rules = Object.keys(banned).map((name) => ({ name, parts: words(name) }));

const bannedByName = new Map<string, string | null>();

/** The banned word in a name; null when there is none. */
function bannedIn(name: string): string | null {
  const known = bannedByName.get(name);
  if (known !== undefined) return known;
  const word = findBanned(name);
  bannedByName.set(name, word);
  return word;
}

function findBanned(name: string): string | null {
  const split = words(name);
  for (const { name: rule, parts } of rules) {
    for (let at = 0; at + parts.length <= split.length; at += 1) {
      if (parts.every((part, i) => split[at + i] === part)) return rule;
    }
  }
  return null;
}

/**
 * A source without its strings and comments, and its comments alone. Text between `${` and `}` is
 * code. A slash starts a regular expression where no value can end.
 */
function taken(text: string): { code: string; comments: string[] } {
  const comments: string[] = [];
  let code = "";
  const open: number[] = [];
  let at = 0;
  const quoted = (end: string) => {
    at += 1;
    while (at < text.length && text[at] !== end && text[at] !== "\n")
      at += text[at] === "\\" ? 2 : 1;
    at += 1;
    code += " ";
  };
  const template = () => {
    while (at < text.length && text[at] !== "`") {
      if (text.startsWith("${", at)) {
        at += 2;
        open.push(0);
        return;
      }
      at += text[at] === "\\" ? 2 : 1;
    }
    at += 1;
  };
  while (at < text.length) {
    const char = text[at]!;
    if (text.startsWith("//", at) || text.startsWith("/*", at)) {
      const line = text[at + 1] === "/";
      const found = text.indexOf(line ? "\n" : "*/", at + 2);
      const end = found < 0 ? text.length : found + (line ? 0 : 2);
      comments.push(text.slice(at, end));
      at = end;
    } else if (char === '"') quoted(char);
    else if (char === "'" && /[=(,:[{?&|+!\s]\s*$/.test(code.slice(-20))) quoted(char);
    else if (char === "`") {
      at += 1;
      template();
    } else if (char === "/" && /(?:[=(,:[!&|?{};\n]|=>|return)\s*$/.test(code.slice(-40))) {
      let inClass = false;
      at += 1;
      while (at < text.length && text[at] !== "\n" && (inClass || text[at] !== "/")) {
        if (text[at] === "[") inClass = true;
        if (text[at] === "]") inClass = false;
        at += text[at] === "\\" ? 2 : 1;
      }
      at += 1;
    } else {
      if (open.length > 0 && char === "{") open.push(open.pop()! + 1);
      else if (open.length > 0 && char === "}") {
        const depth = open.pop()!;
        if (depth === 0) {
          at += 1;
          template();
          continue;
        }
        open.push(depth - 1);
      }
      code += char;
      at += 1;
    }
  }
  return { code, comments };
}

/** The titles in a test file: of `test`, `it` and `describe`, and those that follow `.each(...)`. */
const titles = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:\b(?:test|it|describe)(?:\.(?!each\b)\w+)*|[\s\])\w]\))\(\s*(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`),/g,
    ),
  ].map(([, plain, template]) => plain ?? template!);

const files = globSync(`${folders}/**/*.{ts,tsx}`, { cwd: root }).filter(
  (file) => !file.endsWith("tools/checks/words.test.ts") && !file.includes("node_modules"),
);
const sources = files.map((file) => ({
  file,
  ...taken(readFileSync(join(root, file), "utf8")),
}));

/** Migrations without their comments and strings. */
const migrations = globSync("server/migrations/*.sql", { cwd: root }).map((file) => ({
  file,
  code: readFileSync(join(root, file), "utf8").replace(/--[^\n]*|'(?:[^']|'')*'/g, " "),
}));

test("names use the words of the glossary, including in SQL", () => {
  expect(migrations.length).toBeGreaterThan(20);
  const found = new Map<string, { file: string; instead: string }>();
  for (const { file, code } of [...sources, ...migrations]) {
    for (const name of new Set(code.match(/[A-Za-z_$][\w$]*/g))) {
      const word = bannedIn(name) ?? (Object.hasOwn(bannedNames, name) ? name : null);
      if (word && !Object.hasOwn(allowed, name) && !found.has(name))
        found.set(name, { file, instead: banned[word] ?? bannedNames[word]! });
    }
  }
  expect(
    [...found].map(([name, { file, instead }]) => `${file}: ${name} (say ${instead})`),
  ).toEqual([]);
});

test("a type of what failed ends in Error or Mismatch, and one of what was read in Result", () => {
  const found = sources.flatMap(({ file, code }) =>
    [...code.matchAll(/\b(?:class|interface|type) ([A-Z]\w*)/g)].flatMap(([, name]) =>
      bannedEndings
        .filter(([ending]) => ending.test(name!))
        .map(([, instead]) => `${file}: ${name} (end in ${instead})`),
    ),
  );
  expect(found).toEqual([]);
});

/** Functions that still end in Of: schema makers as in zod, components, and some to rename. */
const allowedOf = new Set([
  "AsOf",
  "DayOf",
  "answerOf",
  "checkOf",
  "checkpointOf",
  "factsOf",
  "contradictionOf",
  "dayOf",
  "fieldsOf",
  "hashOf",
  "headsOf",
  "historyOf",
  "indexOf",
  "isComposedOf",
  "keyOf",
  "leavesOf",
  "listOf",
  "lookOf",
  "messageOf",
  "oneOf",
  "roomOf",
  "seedOf",
  "serverOf",
  "statesOf",
  "subjectOf",
  "tasksOf",
  "useOperatorNameOf",
]);
const functionForm =
  /\bfunction\*? (\w+[a-z]Of)\b|\bconst (\w+[a-z]Of)\b[^=;]*= (?:async )?(?:\([^=]*\)|\w+)(?::[^=;]+)? =>/g;

test("a function is named by a verb and its result, not by …Of", () => {
  const names = sources
    .filter(({ file }) => !/\.(?:test|spec)\.tsx?$|^e2e\//.test(file))
    .flatMap(({ file, code }) =>
      [...code.matchAll(functionForm)]
        .map(([, declared, assigned]) => declared ?? assigned!)
        .filter((name) => !allowedOf.has(name))
        .map((name) => `${file}: ${name}`),
    );
  expect(names).toEqual([]);
});

test("a caught error is called error", () => {
  const names = sources.flatMap(({ file, code }) =>
    [...code.matchAll(/\bcatch \((fault|problem|cause|thrown)\)/g)].map(
      ([, name]) => `${file}: ${name}`,
    ),
  );
  expect(names).toEqual([]);
});

test("comments use the words of the glossary", () => {
  const found = sources.flatMap(({ file, comments }) =>
    comments.flatMap((comment) =>
      bannedInComments
        .filter(([form]) => form.test(comment))
        .map(([form, instead]) => `${file}: ${form.exec(comment)![0]} (say ${instead})`),
    ),
  );
  expect(found).toEqual([]);
});

test("test titles use the words of the glossary", () => {
  const tests = files.filter((file) => /\.(?:test|spec)\.tsx?$/.test(file));
  const all = tests.flatMap((file) =>
    titles(readFileSync(join(root, file), "utf8")).map((title) => ({ file, title })),
  );
  expect(all.length).toBeGreaterThan(2_000);
  const found = all.flatMap(({ file, title }) =>
    bannedInTitles
      .filter(([form]) => form.test(title))
      .map(([form, instead]) => `${file}: ${title}: ${form.exec(title)![0]} (say ${instead})`),
  );
  expect(found).toEqual([]);
});

test("every exception is still needed and has a reason", () => {
  const all = new Set(sources.flatMap(({ code }) => code.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const needless = Object.entries(allowed).filter(
    ([name, why]) => !all.has(name) || !bannedIn(name) || why === "",
  );
  expect(needless).toEqual([]);
});

test.each([
  ["orderWish", "wish"],
  ["OPEN_GATE", "gate"],
  ["quickOrdersOf", "quickOrders"],
  ["quickStakes", null],
  ["delegate", null],
])("%s contains the banned word %s", (name, word) => {
  expect(bannedIn(name)).toBe(word);
});

test("a quoted text is not a name, and a template expression is", () => {
  const computed = ["$", "{gate}"].join("");
  const { code, comments } = taken(
    `const a = "wish"; // a deed\nconst b = \`x ${computed} {y}\`; /a"b/.test(c)`,
  );
  expect(code).not.toContain("wish");
  expect(code).toContain("gate");
  expect(code).not.toContain("x ");
  expect(comments).toEqual(["// a deed"]);
});

test("titles are found in calls, across lines and after tables", () => {
  const text = `test("a", () => {}); describe.skip(\n  "b", () => {}); test.each([["x"]])("c %s", f);
it.each(\n  rows,\n)("d", f); call("e", 1); test(\`f\`, () => {});`;
  expect(titles(text)).toEqual(["a", "b", "c %s", "d", "f"]);
});
