import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkPublications } from "./archive.ts";
import { checkReceipt, type LeafReader, type Step } from "./contracts/receipt.ts";
import type { Receipt } from "./contracts/receiptSchema.ts";
import { checkEvidence } from "./evidence/check.ts";
import { bytesMax, isEvidence } from "./evidence/evidenceSchema.ts";
import { checkPoolOrder } from "./hosting/hosting.ts";
import { checkMarkReceipt } from "./hosting/mark.ts";
import { checkTradeReceipt } from "./hosting/trade.ts";
import { CannotCheckError, type Instance, readCosigned } from "./instance.ts";
import { checkKeptAcknowledgement } from "./keptAcknowledgement.ts";
import { type Acknowledgement, compareReceipt } from "./log/acknowledgement.ts";
import { MismatchError } from "./log/bytes.ts";
import { decodeDay, formatDay } from "./log/day.ts";
import { decodeWorld, worldTag } from "./log/leaves.ts";
import type { LogReader } from "./log/logReader.ts";
import {
  type Checkpoint,
  findCosignatures,
  isRecent,
  parseCosignerKey,
  type VerifierKey,
} from "./log/note.ts";
import type { MixedSeed } from "./log/seed.ts";
import { readWholeLog } from "./log/wholeLog.ts";
import { checkDay } from "./market/day.ts";
import { checkLeaseReceipt } from "./mining/mining.ts";
import { checkActReceipt, checkPublicationReceipt } from "./operator/receipts.ts";
import { verifyAudit } from "./operator/verifyAudit.ts";
import { checkPage, ownList, type PageReport } from "./page.ts";
import { checkRecording } from "./recording.ts";
import { checkJournalReceipt, checkNewest } from "./records/journal.ts";
import type { JournalReceipt } from "./records/journalSchema.ts";
import { checkOwner, type Owner } from "./records/owner.ts";
import {
  type CheckReport,
  type CosignatureReport,
  print,
  printArchive,
  type Report,
  shown,
  statement,
  write,
} from "./report.ts";
import {
  type FollowedLog,
  openAndFollow,
  openSource,
  type Source,
  type SourceOptions,
} from "./source.ts";

/**
 * The command-line verifier: a second implementation, from docs/rules and docs/formats, that shares
 * no code with the app and reads only published data. Exit status: 0 everything agrees, 1 something
 * differs, 2 nothing could be checked.
 */
const usage = `Checks Drydock receipts and the public log behind them.

  npm run verify -- <receipt.json> [more.json …]     check receipt files against the log
  npm run verify -- <evidence.json> --key <vkey>     check evidence files from what is in them; no
                                                     instance is asked
  npm run verify -- <order id> --token <token>       fetch and check the receipt of your order
  npm run verify -- journal:<id> --token <token>     fetch and check the receipt of your journal
  npm run verify -- lease:<id> --token <token>       fetch and check the receipt of your lease
  npm run verify -- hosting:<id> --token <token>     fetch and check the receipt of your subscription or redemption
  npm run verify -- trade:<id>                       fetch and check the receipt of a pool's paper trade
  npm run verify -- mark:<pool>/<ms>                 fetch and check the receipt of a pool's mark at that world time
  npm run verify -- --ack <file> [receipt.json …]    check a promise that the instance signed, and receipts against it
  npm run verify -- act:<id> --token <token>         fetch and check the receipt of what an operator did to you
  npm run verify -- publication:<id>                 fetch and check the receipt of a published text
  npm run verify -- --audit                          check the chain of all that operators did and published
  npm run verify -- --log                            only check that the log extends the last checkpoint
  npm run verify -- --log --whole                    also read every leaf, every tile and all hashes of orders
  npm run verify -- --page                           compare the pages that the instance serves with your own build

  npm run verify -- --day <YYYY-MM-DD>               run a simulated day again from its seed, and compare
                                                     every closed second with the log

  --url <address>     the instance (default http://127.0.0.1:8080)
  --archive <file>    the archive of a world (npm run worlds -- export), instead of an instance; with
                      --log its published texts are checked, too
  --token <token>     session token for fetching receipts (default: DRYDOCK_TOKEN)
  --build <file>      with --page: a build's list to compare with (default: dist/web/build.json
                      of this checkout)
  --recording <dir>   with --log: compare the recording that the world replays with this folder
  --newest            fetch receipts of journals under the newest commitment, and check that no
                      later one exists: your account stands under it now
  --address <0x…>     your wallet: accounts in receipts of journals must be tied to it
                      (with --token, which fetches your salt)
  --memory <file>     file that stores the last proven checkpoints
  --accept-successor <origin>
                      accept that the log at this address ended and this one succeeded it
  --accept-new-log    accept that this address serves another log than before
  --witness <vkey>    key of an outside witness that you know; may be repeated. Only
                      cosignatures of these keys are counted
  --key <vkey>        key of a log that you have from elsewhere; may be repeated. Without it,
                      evidence files and archives are compared with the keys in the memory file
  --json              print one JSON object instead of text

Exit status: 0 everything agrees, 1 something differs, 2 nothing could be checked, or an
evidence file or an archive agrees but is signed by a key that you do not know.`;

interface Options extends SourceOptions {
  token: string | undefined;
  /** True if every leaf and tile is read. */
  whole?: boolean;
  /** True if journals are to stand under the newest commitment. */
  newest: boolean;
  /** The reader's own wallet. */
  address: string | undefined;
  /** Verifier keys of the witnesses that the reader knows. */
  witnesses: readonly string[];
  keys: readonly string[];
  /** Folder of the recording that the world is to replay. */
  recording?: string | undefined;
  /** Files of kept acknowledgements. */
  acks?: readonly string[];
}

function cosignedBy(cosigned: Checkpoint | null, keys: readonly VerifierKey[]): CosignatureReport {
  const signatures = cosigned ? findCosignatures(cosigned, keys) : [];
  const now = Math.floor(Date.now() / 1_000);
  return {
    configured: keys.length,
    keys: keys.map(({ vkey }) => vkey),
    verified: signatures.filter((one) => isRecent(one, now)).length,
    size: signatures.length === 0 ? 0 : (cosigned?.size ?? 0),
    signatures,
  };
}

function readFile(path: string): unknown {
  if (statSync(path).size > bytesMax)
    throw new CannotCheckError(
      `${path} has more than ${bytesMax} bytes, as no receipt or evidence file has.`,
    );
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new CannotCheckError(`Cannot read ${path} as JSON.`);
  }
}

/** The call that returns a receipt, by the prefix of its id. */
const calls: Record<string, string> = {
  "": "/api/contract/getReceipt?order_id=",
  "journal:": "/api/record/getReceipt?journal_id=",
  "lease:": "/api/machine/getReceipt?lease_id=",
  "hosting:": "/api/pledge/getReceipt?order_id=",
  "trade:": "/api/pledge/getTradeReceipt?trade_id=",
  "act:": "/api/record/getReceipt?journal_id=",
  "publication:": "/api/log/getPublication?publication=",
};

/** Public receipts, fetched without a token. */
const open = ["trade:", "mark:", "publication:"];

function receiptReader(
  subject: string,
  options: Options,
  instance: () => Instance,
): () => Promise<unknown> {
  if (existsSync(subject)) return async () => readFile(subject);
  const mark = /^mark:([0-9a-z-]{1,64})\/([0-9]{1,16})$/.exec(subject);
  const named = /^(journal:|lease:|hosting:|trade:|act:|publication:)?([0-9a-zA-Z-]{8,64})$/.exec(
    subject,
  );
  const [, kind = "", id] = mark ? [subject, "mark:", mark[1]] : (named ?? []);
  if (id === undefined)
    throw new CannotCheckError(
      `${subject} is neither a file nor the id of an order, a journal, a lease, a pool's order, a trade, a mark, an act or a publication.`,
    );
  if (!options.token && !open.includes(kind))
    throw new CannotCheckError("This receipt is private: pass --token or a receipt file.");
  const call = mark
    ? `/api/pledge/getMarkReceipt?product_id=${id}&at_ms=${mark[2]}`
    : `${calls[kind]}${encodeURIComponent(id)}${options.newest && kind === "journal:" ? "&commitment=newest" : ""}`;
  return () => instance().call(call, options.token ?? "");
}

/**
 * Checks all subjects; the log is opened and followed once, and not at all for evidence files.
 */
export async function verifyAll(subjects: readonly string[], options: Options): Promise<Report> {
  const witnessKeys = options.witnesses.map(witnessKey);
  let opened: Source | null = null;
  const source = () => (opened ??= openSource(options));
  const receipts: { subject: string; value: unknown }[] = [];
  for (const subject of subjects) {
    const read = receiptReader(subject, options, () => source().instance);
    receipts.push({ subject, value: await read() });
  }
  const evidence = receipts.filter(({ value }) => isEvidence(value));
  const served = receipts.filter(({ value }) => !isEvidence(value));
  const offline: CheckReport[] = [];
  for (const { subject, value } of evidence)
    offline.push(await reportOnEvidence(subject, value, { ...options, witnessKeys }));
  if (served.length === 0 && evidence.length > 0 && !options.acks?.length)
    return {
      log: ["Not read: evidence files are checked from what is in them."],
      verdicts: offline,
      witnesses: null,
      archive: null,
    };
  const stated =
    (served[0]?.value as { log?: { origin: string; vkey: string } } | null | undefined)?.log ??
    null;
  const { instance, archive: file } = source();
  const followed = await openAndFollow(source(), options, stated);
  const { reader, keys, lines: log, archive } = followed;
  // A promise is about a second to come: which seconds are missing matters to receipts.
  if (served.length > 0 || !options.acks?.length) log.push(...(await newestDay(instance, reader)));
  if (options.recording !== undefined)
    log.push(checkRecording(decodeWorld(await reader.leaf(0)), options.recording));
  if (options.whole) log.push(await readWholeLog(reader.checkpoint, instance.file));
  if (file && subjects.length === 0)
    log.push(await checkPublications(file, (index) => reader.leaf(index)));
  const cosigned = await readCosigned(instance, reader, keys);
  const witnesses = cosignedBy(cosigned, witnessKeys);
  const owner = await getOwner(options, instance);
  const acknowledgements: Acknowledgement[] = [];
  const verdicts = offline;
  for (const file of options.acks ?? []) {
    const { acknowledgement, steps, difference } = await checkKeptAcknowledgement(readFile(file), {
      instance,
      reader,
      vkeys: keys,
    });
    verdicts.push(
      difference
        ? differing(file, difference)
        : { subject: file, agrees: true, steps, difference: null, market: null, last_leaf: 0 },
    );
    if (acknowledgement) acknowledgements.push(acknowledgement);
  }
  for (const { subject, value } of served) {
    let last = 0;
    const leaf = (index: number) => {
      last = Math.max(last, index);
      return reader.leaf(index);
    };
    let report = await checkOne(subject, value, reader.checkpoint, leaf);
    if (isJournal(value)) {
      if (owner) report = await withStep(report, "owner", async () => checkOwner(value, owner));
      if (options.newest)
        report = await withStep(report, "committed", () =>
          checkNewest(value, leaf, reader.checkpoint.size),
        );
    }
    for (const acknowledgement of acknowledgements)
      report = await withStep(report, "promised", async () =>
        compareReceipt(acknowledgement, value),
      );
    verdicts.push({ ...report, last_leaf: last });
  }
  return { log, verdicts, witnesses, archive };
}

/** Reads the newest day that is over from the log, if the instance names its leaf. */
async function newestDay(instance: Instance, reader: LogReader): Promise<string[]> {
  const answer = (await instance.call("/api/market/getSeconds")) as { day_leaf?: unknown } | null;
  const leaf = answer?.day_leaf;
  if (typeof leaf !== "number" || !Number.isSafeInteger(leaf) || leaf >= reader.checkpoint.size)
    return ["No day is over: the log does not say yet which seconds are missing."];
  const { name } = decodeWorld(await reader.leaf(0));
  return [`${formatDay(decodeDay(await reader.leaf(leaf), worldTag(name)))} (leaf ${leaf})`];
}

async function getOwner({ token, address }: Options, instance: Instance): Promise<Owner | null> {
  if (!address) return null;
  if (!token) throw new CannotCheckError("--address needs --token, to fetch your salt.");
  const answer = (await instance.call("/api/user/getOwnerSalt", token)) as Partial<Owner>;
  if (!/^[0-9a-f]{64}$/.test(answer.salt ?? ""))
    throw new CannotCheckError("The instance gave no salt.");
  return { address, salt: answer.salt as string };
}

const isJournal = (value: unknown): value is JournalReceipt =>
  (value as { format?: unknown } | null)?.format === "drydock.receipt.journal/1";

/** A further check of a receipt that agrees. */
async function withStep(
  report: CheckReport,
  step: string,
  check: () => Promise<string | null>,
): Promise<CheckReport> {
  if (!report.agrees) return report;
  try {
    const lines = await check();
    return lines === null
      ? report
      : { ...report, steps: [...report.steps, { step, message: lines }] };
  } catch (fault) {
    if (!(fault instanceof MismatchError)) throw fault;
    return { ...differing(report.subject, fault), market: report.market };
  }
}

function witnessKey(vkey: string): VerifierKey {
  try {
    return parseCosignerKey(vkey);
  } catch {
    throw new CannotCheckError(
      `${vkey} is not a key of a witness (of an Ed25519 or ML-DSA-44 cosignature).`,
    );
  }
}

/** The check for each format. */
const checks: Record<
  string,
  (
    value: unknown,
    leaf: LeafReader,
    size: number,
  ) => Promise<{
    receipt: Pick<Receipt, "log" | "market">;
    steps: Step[];
    seed?: MixedSeed | null;
  }>
> = {
  "drydock.receipt.contract/1": checkReceipt,
  "drydock.receipt.journal/1": checkJournalReceipt,
  "drydock.receipt.lease/1": checkLeaseReceipt,
  "drydock.receipt.hosting/1": checkPoolOrder,
  "drydock.receipt.trade/1": checkTradeReceipt,
  "drydock.receipt.mark/1": checkMarkReceipt,
  "drydock.receipt.act/1": checkActReceipt,
  "drydock.receipt.publication/1": checkPublicationReceipt,
};

/**
 * Selects the check by format; an unknown format falls to the first one, whose form check refuses
 * it.
 */
function findCheck(value: unknown) {
  const format = (value as { format?: unknown } | null)?.format;
  return (
    (typeof format === "string" && Object.hasOwn(checks, format) && checks[format]) || checkReceipt
  );
}

async function checkOne(
  subject: string,
  value: unknown,
  { origin, size }: { origin: string; size: number },
  leaf: (index: number) => Promise<Uint8Array>,
): Promise<CheckReport> {
  try {
    const { receipt, steps, ...seed } = await findCheck(value)(value, leaf, size);
    if (receipt.log.origin !== origin)
      throw new MismatchError("signature", "origin_differs", receipt.log.origin);
    return {
      subject,
      agrees: true,
      steps,
      difference: null,
      market: receipt.market,
      ...seed,
      last_leaf: 0,
    };
  } catch (fault) {
    return differing(subject, fault);
  }
}

/** Checks an evidence file and the receipt in it, without the instance. */
async function reportOnEvidence(
  subject: string,
  value: unknown,
  known: Options & { witnessKeys: readonly VerifierKey[] },
): Promise<CheckReport> {
  try {
    const { opened, steps, evidence } = checkEvidence(value, { ...known, storeFile: known.memory });
    const { receipt, found, checkpoint, leaf } = opened;
    const report = await checkOne(subject, receipt, checkpoint, leaf);
    if (!report.agrees) return { ...report, evidence };
    if (found)
      throw new MismatchError(
        "found",
        "finding_differs",
        `who saved it found ${found.difference} at ${found.step}, and it agrees`,
      );
    return { ...report, steps: [...steps, ...report.steps], evidence };
  } catch (fault) {
    return differing(subject, fault);
  }
}

function differing(subject: string, fault: unknown): CheckReport {
  if (!(fault instanceof MismatchError)) throw fault;
  const difference = { step: fault.step, name: fault.difference, detail: fault.detail };
  return { subject, agrees: false, steps: [], difference, market: null, last_leaf: 0 };
}

/** Opens and follows the log, then compares the pages. */
async function verifyPage({
  build,
  ...options
}: SourceOptions & { build: string | undefined }): Promise<PageReport> {
  const own = ownList(build);
  const source = openSource(options);
  const { reader, lines: log } = await openAndFollow(source, options);
  const { lines, differences } = await checkPage(source.instance, reader, own);
  return { lines: [...log, ...lines], differences };
}

/** Opens and follows the log, then runs a simulated day again. */
async function verifyDay(
  date: string,
  options: SourceOptions,
): Promise<{ ran: boolean } & Pick<FollowedLog, "lines" | "archive">> {
  const ms = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  if (Number.isNaN(ms)) throw new CannotCheckError(`${date} is not a day such as 2026-11-22.`);
  const { reader, lines: log, archive } = await openAndFollow(openSource(options), options);
  const { size, origin } = reader.checkpoint;
  const leaf = (index: number) => reader.leaf(index);
  const range = (from: number, to: number) => reader.range(from, to);
  const lines = await checkDay({ size, origin, leaf, range }, ms / 86_400_000);
  return { lines: [...log, ...(lines ?? [])], ran: lines !== null, archive };
}

function printPage({ lines, differences }: PageReport): number {
  for (const line of lines) write(`page     ${line}`);
  for (const line of differences) write(`DIFFERS  ${line}`);
  if (differences.length > 0) return 1;
  write("These pages are those of your build. It says nothing about the server behind them.");
  return 0;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: "string", default: "http://127.0.0.1:8080" },
      archive: { type: "string" },
      token: { type: "string" },
      memory: { type: "string", default: join(homedir(), ".local/state/drydock/checkpoints.json") },
      address: { type: "string" },
      newest: { type: "boolean", default: false },
      "accept-new-log": { type: "boolean", default: false },
      "accept-successor": { type: "string" },
      witness: { type: "string", multiple: true, default: [] },
      key: { type: "string", multiple: true, default: [] },
      ack: { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
      log: { type: "boolean", default: false },
      whole: { type: "boolean", default: false },
      page: { type: "boolean", default: false },
      audit: { type: "boolean", default: false },
      build: { type: "string" },
      day: { type: "string" },
      recording: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const asked =
    positionals.length + values.ack.length > 0 ||
    values.log ||
    values.page ||
    values.audit ||
    values.day !== undefined;
  if (values.help || !asked) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const token = values.token ?? process.env.DRYDOCK_TOKEN;
  let result: Report;
  try {
    const {
      url,
      archive,
      memory,
      address,
      newest,
      whole,
      "accept-new-log": acceptNewLog,
      "accept-successor": acceptSuccessor,
      witness: witnesses,
      key: keys,
      ack: acks,
    } = values;
    const source = { url, archive, memory, acceptNewLog, acceptSuccessor, keys };
    if (values.page) {
      if (archive !== undefined)
        throw new CannotCheckError("An archive holds no pages: --page needs --url.");
      const report = await verifyPage({ ...source, build: values.build });
      if (!values.json) return printPage(report);
      write(JSON.stringify({ agrees: report.differences.length === 0, ...report }));
      return report.differences.length === 0 ? 0 : 1;
    }
    if (values.audit) {
      const { lines, archive: known } = await verifyAudit(source);
      if (values.json) write(JSON.stringify({ agrees: true, message: lines, archive: known }));
      else {
        for (const line of lines) write(`audit    ${line}`);
        printArchive(known);
      }
      return getStatus(known);
    }
    if (values.day !== undefined) {
      const { lines, ran, archive: known } = await verifyDay(values.day, source);
      if (values.json)
        write(JSON.stringify({ agrees: ran, day: values.day, lines, archive: known }));
      else {
        for (const line of lines) write(`day      ${line}`);
        printArchive(known);
      }
      if (!ran) throw new CannotCheckError(`The log has no leaf of the day ${values.day} yet.`);
      return getStatus(known);
    }
    result = await verifyAll(positionals, {
      ...source,
      ...{ token, address, newest, whole, witnesses, keys, acks },
      recording: values.recording,
    });
  } catch (fault) {
    if (fault instanceof MismatchError) {
      const difference = { step: fault.step, name: fault.difference, detail: fault.detail };
      if (values.json) write(JSON.stringify({ agrees: false, difference }));
      else write(`DIFFERS  at "${fault.step}": ${fault.difference}. ${fault.detail}`);
      return 1;
    }
    throw fault;
  }
  const agrees = result.verdicts.every((report) => report.agrees);
  if (values.json)
    write(
      JSON.stringify({
        agrees,
        ...result,
        ...(agrees && positionals.length > 0 ? { statement } : {}),
      }),
    );
  else print(result);
  if (!agrees) return 1;
  const unknown = result.verdicts.some(({ evidence }) => evidence && evidence.key !== "known");
  return unknown ? 2 : getStatus(result.archive);
}

/** Readers of a file must know its signer. */
const getStatus = (archive: Report["archive"]): number =>
  archive === null || archive.key === "known" ? 0 : 2;

if (import.meta.main) {
  main().then(
    (status) => {
      // Not exit(): output still in a pipe must be flushed first.
      process.exitCode = status;
    },
    (fault: unknown) => {
      const { message } = fault as Error;
      console.error(
        shown(fault instanceof CannotCheckError ? message : `Could not check: ${message}`),
      );
      process.exitCode = 2;
    },
  );
}
