/**
 * EIP-4361 messages ("Sign-In with Ethereum"): signed by a wallet to prove an address, and only
 * that.
 *
 * Source: the ABNF of EIP-4361. The parser accepts exactly that grammar with LF as the only line
 * break; it does not decide whether the fields are the expected ones
 * (server/session/signedMessage.ts does).
 */
export interface SignInMessage {
  scheme: string | null;
  /** RFC 3986 authority: host, and port unless it is the scheme's default. */
  domain: string;
  /** `0x` and 40 hex digits as written; EIP-55 is checked by `hasValidCase` of address.ts. */
  address: string;
  statement: string | null;
  uri: string;
  /** Decimal, no leading zeros. */
  chainId: string;
  /** At least 8 letters and digits. */
  nonce: string;
  /** RFC 3339, as written. */
  issuedAt: string;
  expirationTime: string | null;
  notBefore: string | null;
  requestId: string | null;
  /** Null: no such field; empty: the field is present without entries. */
  resources: readonly string[] | null;
}

/**
 * The first field at which a text is not an EIP-4361 message. `text`: too long, or contains a
 * forbidden character.
 */
type MessageError =
  | "text"
  | "header"
  | "address"
  | "statement"
  | "uri"
  | "version"
  | "chain_id"
  | "nonce"
  | "issued_at"
  | "expiration_time"
  | "not_before"
  | "request_id"
  | "resources"
  | "end";

export type ParsedMessage =
  | { ok: true; message: SignInMessage }
  | { ok: false; error: MessageError };

/** Maximum text length, in characters. */
const lengthMax = 2000;

const headerEnd = " wants you to sign in with your Ethereum account:";
const unreserved = "A-Za-z0-9\\-._~";
const subDelimiters = "!$&'()*+,;=";
const encoded = "%[0-9A-Fa-f]{2}";
const pchar = `(?:[${unreserved}${subDelimiters}:@]|${encoded})`;
const host = `(?:\\[[0-9A-Fa-f:.]+\\]|(?:[${unreserved}${subDelimiters}]|${encoded})+)`;
const userInfo = `(?:(?:[${unreserved}${subDelimiters}:]|${encoded})*@)?`;
const authority = `${userInfo}${host}(?::[0-9]*)?`;
const scheme = "[A-Za-z][A-Za-z0-9+.\\-]*";

const headerForm = new RegExp(`^(?:(${scheme})://)?(${authority})$`);
const addressForm = /^0x[0-9a-fA-F]{40}$/;
/** reserved / unreserved / space of RFC 3986: no quote, no percent sign, nothing outside ASCII. */
const statementForm = new RegExp(`^[${unreserved}:/?#\\[\\]@${subDelimiters} ]+$`);
const uriForm = new RegExp(
  `^${scheme}:(?:[${unreserved}${subDelimiters}:@/?#\\[\\]]|${encoded})+$`,
);
const chainForm = /^(?:0|[1-9][0-9]{0,77})$/;
const nonceForm = /^[A-Za-z0-9]{8,}$/;
const requestIdForm = new RegExp(`^${pchar}*$`);

/** Parses a message, or names the first invalid field. */
export function parseMessage(text: string): ParsedMessage {
  // The grammar has only LF and printable ASCII; this check alone excludes look-alike letters and
  // hidden bidirectional marks.
  if (text.length > lengthMax || !/^[\n\x20-\x7e]*$/.test(text)) return fail("text");
  const lines = text.split("\n");
  let position = 0;
  const take = () => lines[position++];

  const first = take() ?? "";
  if (!first.endsWith(headerEnd)) return fail("header");
  const header = headerForm.exec(first.slice(0, -headerEnd.length));
  if (!header) return fail("header");
  const address = take() ?? "";
  if (!addressForm.test(address)) return fail("address");
  if (take() !== "") return fail("statement");
  let statement: string | null = null;
  if (lines[position] !== "") {
    statement = take() ?? "";
    if (!statementForm.test(statement)) return fail("statement");
  }
  if (take() !== "") return fail("statement");

  const field = (name: string) => {
    const line = lines[position];
    if (line === undefined || !line.startsWith(name)) return null;
    position += 1;
    return line.slice(name.length);
  };
  const uri = field("URI: ");
  if (uri === null || !uriForm.test(uri)) return fail("uri");
  if (field("Version: ") !== "1") return fail("version");
  const chainId = field("Chain ID: ");
  if (chainId === null || !chainForm.test(chainId)) return fail("chain_id");
  const nonce = field("Nonce: ");
  if (nonce === null || !nonceForm.test(nonce)) return fail("nonce");
  const issuedAt = field("Issued At: ");
  if (issuedAt === null || parseTime(issuedAt) === null) return fail("issued_at");
  const expirationTime = field("Expiration Time: ");
  if (expirationTime !== null && parseTime(expirationTime) === null) return fail("expiration_time");
  const notBefore = field("Not Before: ");
  if (notBefore !== null && parseTime(notBefore) === null) return fail("not_before");
  const requestId = field("Request ID: ");
  if (requestId !== null && !requestIdForm.test(requestId)) return fail("request_id");
  const resources = readResources(lines, position);
  if (resources === "wrong") return fail("resources");
  if (resources === null && position !== lines.length) return fail("end");

  return {
    ok: true,
    message: {
      scheme: header[1] ?? null,
      domain: header[2] as string,
      address,
      statement,
      uri,
      chainId,
      nonce,
      issuedAt,
      expirationTime,
      notBefore,
      requestId,
      resources,
    },
  };
}

/**
 * Reads resources from line `start` on: null when there is no such field, "wrong" when a line is
 * not a valid entry.
 */
function readResources(
  lines: readonly string[],
  start: number,
): readonly string[] | null | "wrong" {
  if (lines[start] !== "Resources:") return null;
  const resources: string[] = [];
  for (const line of lines.slice(start + 1)) {
    if (!line.startsWith("- ") || !uriForm.test(line.slice(2))) return "wrong";
    resources.push(line.slice(2));
  }
  return resources;
}

/** Writes the text to sign. Throws a RangeError when a field would not read back unchanged. */
export function writeMessage(message: SignInMessage): string {
  const lines = [
    `${message.scheme === null ? "" : `${message.scheme}://`}${message.domain}${headerEnd}`,
    message.address,
    "",
    ...(message.statement === null ? [] : [message.statement]),
    "",
    `URI: ${message.uri}`,
    "Version: 1",
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
  ];
  if (message.expirationTime !== null) lines.push(`Expiration Time: ${message.expirationTime}`);
  if (message.notBefore !== null) lines.push(`Not Before: ${message.notBefore}`);
  if (message.requestId !== null) lines.push(`Request ID: ${message.requestId}`);
  if (message.resources !== null) {
    lines.push("Resources:", ...message.resources.map((resource) => `- ${resource}`));
  }
  const text = lines.join("\n");
  const parsedMessage = parseMessage(text);
  if (!parsedMessage.ok)
    throw new RangeError(`the field ${parsedMessage.error} is not valid in EIP-4361`);
  for (const name of Object.keys(message) as (keyof SignInMessage)[]) {
    if (String(parsedMessage.message[name]) !== String(message[name])) {
      throw new RangeError(`the field ${name} would not read back unchanged`);
    }
  }
  return text;
}

/**
 * Parses an RFC 3339 date-time to milliseconds since 1970, or null. Leap seconds are not accepted.
 */
export function parseTime(text: string): number | null {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/.exec(
      text,
    );
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const zone = match[8] as string;
  const [zoneHour, zoneMinute] = /^[Zz]$/.test(zone)
    ? [0, 0]
    : [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const ms = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const local = Date.UTC(2000, month - 1, day, hour, minute, second, ms);
  const shifted = new Date(local).setUTCFullYear(year, month - 1, day);
  const offset = (zoneHour * 60 + zoneMinute) * 60_000;
  return zone.startsWith("-") ? shifted + offset : shifted - offset;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function fail(error: MessageError): ParsedMessage {
  return { ok: false, error };
}
