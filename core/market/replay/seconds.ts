import { type Book, type BookLevel, sizeScale } from "#core/market/book.ts";
import { isValidQuote, type Quote, quoteMaxAgeMs } from "#core/market/quote.ts";
import type { RecordedSeries } from "#core/market/replay/series.ts";
import { formatDecimal, parseDecimal } from "#core/money/decimal.ts";

/**
 * A file of closed seconds, as `npm run record` writes it (docs/rules/market.md, "Recordings"): a
 * line for each second in which the venue's quote of the symbol counted. Prices are decimals at the
 * symbol's scale; `age` is how many milliseconds old the quote was; a side of the book is
 * `price:size` from the best price outwards, separated by spaces. `volume` is that of all venues
 * together, written only in the file of the first venue that quotes in a second.
 */
export const secondsHeader = "second,bid,ask,age,volume,bids,asks";

/** A venue's quote in a closed second. */
export interface RecordedSecond {
  secondMs: number;
  quote: Pick<Quote, "bid" | "ask" | "atMs">;
  /** At `sizeScale`. */
  volume: bigint;
  book: Book;
}

export type SecondsFormError =
  | "not_csv"
  | "column_count"
  | "not_a_number"
  | "order"
  | "duplicate"
  | "not_positive"
  | "crossed"
  | "too_old"
  | "not_a_book";

/** The closed seconds of a file without their books, packed; ages in milliseconds. */
export interface PackedSeconds {
  secondMs: Float64Array;
  ageMs: Uint16Array;
  /** Bid, ask and volume of each second. */
  values: BigInt64Array;
}

type SecondsResult =
  | { ok: true; seconds: PackedSeconds }
  | { ok: false; line: number; error: SecondsFormError };

/** As for a bar's volume: keeps the sum over venues within 64 bits. */
const volumeMax = 10n ** 17n;

export function formatSecond({ secondMs, quote, volume, book }: RecordedSecond, scale: number) {
  const side = (levels: readonly BookLevel[]) =>
    levels
      .map(({ price, size }) => `${formatDecimal(price, scale)}:${formatDecimal(size, sizeScale)}`)
      .join(" ");
  return [
    secondMs / 1_000,
    formatDecimal(quote.bid, scale),
    formatDecimal(quote.ask, scale),
    // A live market's clock counts fractions of a millisecond.
    Math.ceil(secondMs - quote.atMs),
    formatDecimal(volume, sizeScale),
    side(book.bids),
    side(book.asks),
  ].join(",");
}

const decimal = String.raw`\d{1,12}(?:\.\d{1,24})?`;
const level = `${decimal}:${decimal}`;
const lineForm = new RegExp(
  `^(\\d{9,11}),(${decimal}),(${decimal}),(\\d{1,4}),(${decimal}),(${level}(?: ${level})*)?,(${level}(?: ${level})*)?$`,
);

/**
 * Reads the lines of a whole file, without line ends, or names the first invalid one (from 1) and
 * why, in which case the file is rejected. A file may be empty: its venue lists the symbol but
 * never quoted it. Books are checked for their form only and read when needed.
 */
export function parseSeconds(lines: Iterable<string>, scale: number): SecondsResult {
  const secondMs: number[] = [];
  const ageMs: number[] = [];
  const values: bigint[] = [];
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (number === 1) {
      if (line !== secondsHeader) return { ok: false, line: 1, error: "not_csv" };
      continue;
    }
    const head = parseHead(line, scale);
    if (typeof head === "string") return { ok: false, line: number, error: head };
    const previousMs = secondMs.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (head.secondMs === previousMs) return { ok: false, line: number, error: "duplicate" };
    if (head.secondMs < previousMs) return { ok: false, line: number, error: "order" };
    secondMs.push(head.secondMs);
    ageMs.push(head.ageMs);
    values.push(head.bid, head.ask, head.volume);
  }
  if (number === 0) return { ok: false, line: 1, error: "not_csv" };
  const packed = {
    secondMs: Float64Array.from(secondMs),
    ageMs: Uint16Array.from(ageMs),
    values: BigInt64Array.from(values),
  };
  return { ok: true, seconds: packed };
}

function parseHead(line: string, scale: number) {
  const match = lineForm.exec(line);
  if (!match) return line.split(",").length === 7 ? "not_a_number" : "column_count";
  const [, second, bidText, askText, age, volumeText, bids, asks] = match;
  const bid = parseNumber(bidText!, scale);
  const ask = parseNumber(askText!, scale);
  const volume = parseNumber(volumeText!, sizeScale);
  if (bid === null || ask === null || volume === null || volume > volumeMax) return "not_a_number";
  if (bid === 0n) return "not_positive";
  if (!isValidQuote({ bid, ask })) return "crossed";
  if (Number(age) > quoteMaxAgeMs) return "too_old";
  const isBook = (side: string | undefined, best: string) => !side || side.startsWith(`${best}:`);
  if (!isBook(bids, bidText!) || !isBook(asks, askText!)) return "not_a_book";
  return { secondMs: Number(second) * 1_000, ageMs: Number(age), bid, ask, volume };
}

function parseNumber(text: string, scale: number): bigint | null {
  const result = parseDecimal(text, scale);
  return result.ok ? result.value : null;
}

/** The book in a line that `parseSeconds` accepted. */
function parseBook(line: string, scale: number): Book {
  const [bids = "", asks = ""] = line.split(",").slice(5);
  const side = (text: string): BookLevel[] =>
    text === ""
      ? []
      : text.split(" ").map((level) => {
          const [price = "", size = ""] = level.split(":");
          return { price: parseNumber(price, scale)!, size: parseNumber(size, sizeScale)! };
        });
  return { bids: side(bids), asks: side(asks) };
}

/**
 * The closed seconds of one symbol at one venue. A quote is valid in its own second only: the next
 * second has its own line, or the quote no longer counted.
 */
export class SecondSeries implements RecordedSeries {
  readonly isPerSecond = true;
  readonly length: number;
  readonly #seconds: PackedSeconds;
  readonly #scale: number;
  readonly #lineAt: (position: number) => string;

  /** `lineAt` gives the text of a second, by its position among the seconds. */
  constructor(seconds: PackedSeconds, scale: number, lineAt: (position: number) => string) {
    this.length = seconds.secondMs.length;
    this.#seconds = seconds;
    this.#scale = scale;
    this.#lineAt = lineAt;
  }

  /** A world that starts here closes the first recorded second as its first. */
  get firstMs(): number {
    return this.length === 0 ? Number.POSITIVE_INFINITY : this.#seconds.secondMs[0]! - 1_000;
  }

  get endMs(): number {
    return this.#seconds.secondMs.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  quoteAt(atMs: number): Quote | null {
    const index = this.#find(atMs);
    if (index < 0) return null;
    const { ageMs, values } = this.#seconds;
    return {
      bid: values[3 * index]!,
      ask: values[3 * index + 1]!,
      atMs: atMs - ageMs[index]!,
      maxAgeMs: quoteMaxAgeMs,
    };
  }

  volumeClosedAt(atMs: number): bigint {
    const index = this.#find(atMs);
    return index < 0 ? 0n : this.#seconds.values[3 * index + 2]!;
  }

  bookAt(atMs: number): Book | null {
    const index = this.#find(atMs);
    return index < 0 ? null : parseBook(this.#lineAt(index), this.#scale);
  }

  /** Position of the second `atMs`; −1 if there is none. */
  #find(atMs: number): number {
    const { secondMs } = this.#seconds;
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (secondMs[middle]! < atMs) low = middle + 1;
      else high = middle;
    }
    return secondMs[low] === atMs ? low : -1;
  }
}
