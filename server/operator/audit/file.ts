import { toCsvCell } from "#server/operator/csv.ts";
import type { AuditEntry } from "./audit.ts";
import { toAuditView } from "./view.ts";

const csvHead = [
  "practice_only_no_value",
  "world",
  "seq",
  "at_utc",
  "operator_id",
  "role",
  "what",
  "target",
  "touches",
  "why",
  "details",
  "erased",
  "leaf",
  "hash",
];

/**
 * Streams the audit as a file while reading it. Every row and the JSON's header carry the practice
 * mark.
 */
export async function* writeAuditFile(
  world: string,
  format: "csv" | "json",
  parts: AsyncGenerator<AuditEntry[]>,
): AsyncGenerator<string> {
  if (format === "csv") {
    yield `${csvHead.join(",")}\r\n`;
    for await (const entries of parts) {
      yield entries.map((entry) => csvLine(world, entry)).join("");
    }
    return;
  }
  const head = { format: "drydock.export.audit/1", practice: true, backing: "none", world };
  yield `${JSON.stringify(head).slice(0, -1)},"acts":[`;
  let first = true;
  for await (const entries of parts) {
    const texts = entries.map((entry) => JSON.stringify(toAuditView(entry)));
    yield `${first ? "\n" : ",\n"}${texts.join(",\n")}`;
    first = false;
  }
  yield "\n]}\n";
}

function csvLine(world: string, entry: AuditEntry): string {
  const cells = [
    "practice, backed by nothing",
    world,
    entry.seq,
    new Date(entry.atMs).toISOString(),
    entry.operatorId,
    entry.role,
    entry.what,
    entry.target ?? "",
    entry.touches ?? "",
    entry.why ?? "",
    entry.details ? JSON.stringify(entry.details) : "",
    entry.erased,
    entry.leaf,
    entry.hash,
  ];
  return `${cells.map((cell) => toCsvCell(String(cell))).join(",")}\r\n`;
}
