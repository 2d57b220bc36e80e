import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkPublications } from "./archive.ts";
import { Comparison } from "./comparison.ts";
import { isEvidence } from "./evidence/evidenceSchema.ts";
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
import { readWholeLog } from "./log/wholeLog.ts";
import { checkDay } from "./market/day.ts";
import { verifyAudit } from "./operator/verifyAudit.ts";
import { checkPage, type PageReport, readOwnList } from "./page.ts";
import {
  checkEvidenceFile,
  checkOne,
  collectLeaves,
  isJournal,
  reportMismatch,
  withStep,
} from "./receiptCheck.ts";
import { checkRecording } from "./recording.ts";
import { checkNewest } from "./records/journal.ts";
import { checkOwner, type Owner } from "./records/owner.ts";
import {
  type CheckReport,
  type CosignatureReport,
  escapeControls,
  printArchive,
  printReport,
  type Report,
  statement,
  writeLine,
} from "./report.ts";
import {
  type FollowedLog,
  openAndFollow,
  openSource,
  type Source,
  type SourceOptions,
} from "./source.ts";
import { createReceiptReader, readFile } from "./subject.ts";
import { usage } from "./usage.ts";

interface Options extends SourceOptions {
  token: string | undefined;
  /** True if every leaf and tile is read. */
  whole?: boolean;
  /** True if journals must be covered by the newest commitment. */
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
    verified: signatures.filter((signature) => isRecent(signature, now)).length,
    size: signatures.length === 0 ? 0 : (cosigned?.size ?? 0),
    signatures,
  };
}

/**
 * Checks all subjects; the log is opened and followed once, and not at all for evidence files.
 */
export async function verifyAll(subjects: readonly string[], options: Options): Promise<Report> {
  const witnessKeys = options.witnesses.map(witnessKey);
  let openedSource: Source | null = null;
  const source = () => (openedSource ??= openSource(options));
  const receipts: { subject: string; value: unknown }[] = [];
  for (const subject of subjects) {
    const readReceipt = createReceiptReader(subject, options, () => source().instance);
    receipts.push({ subject, value: await readReceipt() });
  }
  const evidence = receipts.filter(({ value }) => isEvidence(value));
  const servedReceipts = receipts.filter(({ value }) => !isEvidence(value));
  const comparison = new Comparison(options.memory);
  const offline: CheckReport[] = [];
  for (const { subject, value } of evidence)
    offline.push(await checkEvidenceFile(subject, value, { ...options, witnessKeys, comparison }));
  if (servedReceipts.length === 0 && evidence.length > 0 && !options.acks?.length) {
    await comparison.save();
    return {
      log: ["Not read: evidence files are checked from what is in them."],
      reports: offline,
      witnesses: null,
      archive: null,
    };
  }
  const statedLog =
    (servedReceipts[0]?.value as { log?: { origin: string; vkey: string } } | null | undefined)
      ?.log ?? null;
  const followed = await openAndFollow(source(), options, statedLog);
  const { instance } = source();
  const { reader, keys, archive } = followed;
  const log = [...followed.lines, ...(await checkLog(source(), reader, subjects, options))];
  const cosigned = await readCosigned(instance, reader, keys);
  const witnesses = cosignedBy(cosigned, witnessKeys);
  const owner = await getOwner(options, instance);
  const { reports: promises, acknowledgements } = await checkPromises(options.acks ?? [], {
    instance,
    reader,
    vkeys: keys,
  });
  const ownContext = { newest: options.newest, owner, acknowledgements, comparison };
  const reports = [...offline, ...promises];
  for (const { subject, value } of servedReceipts)
    reports.push(await checkServed(subject, value, followed, ownContext));
  await comparison.save();
  return { log, reports, witnesses, archive };
}

/** The report lines about the log itself that the options request. */
async function checkLog(
  { instance, archive }: Source,
  reader: LogReader,
  subjects: readonly string[],
  { acks: acknowledgementFiles, recording: folder, whole }: Options,
): Promise<string[]> {
  const lines: string[] = [];
  const isReceipts = subjects.length > 0;
  // Missing seconds matter to receipts only: a promise concerns a later second.
  if (isReceipts || !acknowledgementFiles?.length)
    lines.push(...(await readNewestDay(instance, reader)));
  if (folder !== undefined) lines.push(checkRecording(decodeWorld(await reader.leaf(0)), folder));
  if (whole) lines.push(await readWholeLog(reader.checkpoint, instance.file));
  if (archive && !isReceipts)
    lines.push(await checkPublications(archive, (index) => reader.leaf(index)));
  return lines;
}

/** Checks the instance's promises; returns the acknowledgements that it has kept so far. */
async function checkPromises(
  files: readonly string[],
  against: Parameters<typeof checkKeptAcknowledgement>[1],
): Promise<{ reports: CheckReport[]; acknowledgements: Acknowledgement[] }> {
  const reports: CheckReport[] = [];
  const acknowledgements: Acknowledgement[] = [];
  for (const file of files) {
    const { acknowledgement, steps, difference } = await checkKeptAcknowledgement(
      readFile(file),
      against,
    );
    reports.push(
      difference
        ? reportMismatch(file, difference)
        : { subject: file, agrees: true, steps, difference: null, market: null, last_leaf: 0 },
    );
    if (acknowledgement) acknowledgements.push(acknowledgement);
  }
  return { reports, acknowledgements };
}

interface OwnKnowledge {
  newest: boolean;
  owner: Owner | null;
  acknowledgements: readonly Acknowledgement[];
  comparison: Comparison;
}

/** Checks a receipt against the followed log and against the reader's own knowledge. */
async function checkServed(
  subject: string,
  value: unknown,
  { reader, vkey, archive }: FollowedLog,
  { newest, owner, acknowledgements, comparison }: OwnKnowledge,
): Promise<CheckReport> {
  const { origin, size } = reader.checkpoint;
  const { leaf, leaves } = collectLeaves((index) => reader.leaf(index));
  let report = await checkOne(subject, value, reader.checkpoint, leaf);
  if (isJournal(value)) {
    if (owner) report = await withStep(report, "owner", async () => checkOwner(value, owner));
    if (newest) report = await withStep(report, "committed", () => checkNewest(value, leaf, size));
  }
  for (const acknowledgement of acknowledgements)
    report = await withStep(report, "promised", async () => compareReceipt(acknowledgement, value));
  const isKnownKey = archive === null || archive.key === "known";
  const log = { origin, vkey, known: isKnownKey, stored: archive === null };
  report = await withStep(report, "compared", () => comparison.compare(log, value, leaves));
  return { ...report, last_leaf: Math.max(0, ...leaves.keys()) };
}

/** Reads the newest day that is over from the log, if the instance names its leaf. */
async function readNewestDay(instance: Instance, reader: LogReader): Promise<string[]> {
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

function witnessKey(vkey: string): VerifierKey {
  try {
    return parseCosignerKey(vkey);
  } catch {
    throw new CannotCheckError(
      `${vkey} is not a key of a witness (of an Ed25519 or ML-DSA-44 cosignature).`,
    );
  }
}

/** Opens and follows the log, then compares the pages. */
async function verifyPage({
  build,
  ...options
}: SourceOptions & { build: string | undefined }): Promise<PageReport> {
  const buildList = readOwnList(build);
  const source = openSource(options);
  const { reader, lines: log } = await openAndFollow(source, options);
  const { lines, differences } = await checkPage(source.instance, reader, buildList);
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
  for (const line of lines) writeLine(`page     ${line}`);
  for (const line of differences) writeLine(`DIFFERS  ${line}`);
  if (differences.length > 0) return 1;
  writeLine("These pages are those of your build. It says nothing about the server behind them.");
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
  const hasInput =
    positionals.length + values.ack.length > 0 ||
    values.log ||
    values.page ||
    values.audit ||
    values.day !== undefined;
  if (values.help || !hasInput) {
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
      ack: acknowledgementFiles,
    } = values;
    const source = { url, archive, memory, acceptNewLog, acceptSuccessor, keys };
    if (values.page) {
      if (archive !== undefined)
        throw new CannotCheckError("An archive holds no pages: --page needs --url.");
      const report = await verifyPage({ ...source, build: values.build });
      if (!values.json) return printPage(report);
      writeLine(JSON.stringify({ agrees: report.differences.length === 0, ...report }));
      return report.differences.length === 0 ? 0 : 1;
    }
    if (values.audit) {
      const { lines, archive: knownArchive } = await verifyAudit(source);
      if (values.json)
        writeLine(JSON.stringify({ agrees: true, message: lines, archive: knownArchive }));
      else {
        for (const line of lines) writeLine(`audit    ${line}`);
        printArchive(knownArchive);
      }
      return getExitStatus(knownArchive);
    }
    if (values.day !== undefined) {
      const { lines, ran, archive: knownArchive } = await verifyDay(values.day, source);
      if (values.json)
        writeLine(JSON.stringify({ agrees: ran, day: values.day, lines, archive: knownArchive }));
      else {
        for (const line of lines) writeLine(`day      ${line}`);
        printArchive(knownArchive);
      }
      if (!ran) throw new CannotCheckError(`The log has no leaf of the day ${values.day} yet.`);
      return getExitStatus(knownArchive);
    }
    result = await verifyAll(positionals, {
      ...source,
      ...{ token, address, newest, whole, witnesses, keys, acks: acknowledgementFiles },
      recording: values.recording,
    });
  } catch (error) {
    if (error instanceof MismatchError) {
      const difference = { step: error.step, name: error.difference, detail: error.detail };
      if (values.json) writeLine(JSON.stringify({ agrees: false, difference }));
      else writeLine(`DIFFERS  at "${error.step}": ${error.difference}. ${error.detail}`);
      return 1;
    }
    throw error;
  }
  const agrees = result.reports.every((report) => report.agrees);
  if (values.json)
    writeLine(
      JSON.stringify({
        agrees,
        ...result,
        ...(agrees && positionals.length > 0 ? { statement } : {}),
      }),
    );
  else printReport(result);
  if (!agrees) return 1;
  const hasUnknownKey = result.reports.some(({ evidence }) => evidence && evidence.key !== "known");
  return hasUnknownKey ? 2 : getExitStatus(result.archive);
}

/** Readers of a file must know its signer. */
const getExitStatus = (archive: Report["archive"]): number =>
  archive === null || archive.key === "known" ? 0 : 2;

if (import.meta.main) {
  main().then(
    (status) => {
      // Not process.exit(): output still in a pipe must be flushed first.
      process.exitCode = status;
    },
    (error: unknown) => {
      const { message } = error as Error;
      console.error(
        escapeControls(error instanceof CannotCheckError ? message : `Could not check: ${message}`),
      );
      process.exitCode = 2;
    },
  );
}
