import type { AnswerOf } from "#api/call.ts";
import type { getOrderResults } from "#api/routes/contracts.ts";
import type { getPoolResults } from "#api/routes/hosting.ts";
import type { getLeaseResults } from "#api/routes/mining.ts";

export interface Results {
  orders: AnswerOf<typeof getOrderResults>;
  leases: AnswerOf<typeof getLeaseResults>["items"];
  pools: AnswerOf<typeof getPoolResults>["items"];
}

type Cell = string | number | null;

/**
 * The figures of a span as one CSV file: three tables after each other, with the names of the wire,
 * amounts as decimals and times in ISO 8601.
 */
export function formatResultsCsv({ orders, leases, pools }: Results): string {
  const total = { contract_id: "", symbol: "total", tier_seconds: null, ...orders.total };
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const leaseRows = leases.map(
    ({ from_ms, to_ms, break_even_then_ms, break_even_now_ms, ...rest }) => ({
      ...rest,
      from: time(from_ms),
      to: time(to_ms),
      break_even_then: time(break_even_then_ms),
      break_even_now: time(break_even_now_ms),
    }),
  );
  return [
    table("orders", [...orders.groups, total]),
    table("leases", leaseRows),
    table("pools", pools),
  ]
    .filter((text) => text !== "")
    .join("\r\n");
}

function table(name: string, rows: readonly Readonly<Record<string, Cell>>[]): string {
  const [first] = rows;
  if (!first) return "";
  const names = Object.keys(first);
  const lines = rows.map((row) => [name, ...names.map((text) => row[text] ?? null)]);
  return [["table", ...names], ...lines].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

/** Quoted where RFC 4180 asks for it. */
function cell(value: Cell): string {
  const text = value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
