/**
 * The effect of one part of a request. `risk`: `takes`, others could take what you have; `moves`,
 * it leaves now; `careful`, a signature or setting with consequences; `shows`, it only reads or
 * displays; `ends`, it revokes a permission.
 */
export interface RequestFinding {
  /** Last part of the message id `wallet-requests.does.…`. */
  id: string;
  values: Record<string, string>;
  risk: "takes" | "moves" | "careful" | "shows" | "ends";
}

export const createFinding = (
  risk: RequestFinding["risk"],
  id: string,
  values: Record<string, string> = {},
): RequestFinding => ({ id, values, risk });

/** The named dangers, `wallet-requests.danger.…`, and the findings that belong to each. */
const dangers: Readonly<Record<string, readonly string[]>> = {
  endless: ["allowanceEndless", "approvalForAll"],
  permit: ["signedAllowanceAmount", "signedAllowanceEndless", "signedTransfer", "signedOrder"],
  ownership: ["ownership", "role", "upgrade", "groupOwner", "delegates"],
  blind: ["blindSign", "blindText"],
};

/** The name of the danger a finding belongs to; null for none. */
export function getDanger({ id }: RequestFinding): string | null {
  return Object.keys(dangers).find((name) => dangers[name]?.includes(id)) ?? null;
}
