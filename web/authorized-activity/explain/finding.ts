/**
 * What one part of a request would do. `risk`: `takes`, others could take what you have; `moves`, it leaves now; `careful`, a
 * signature or setting with consequences; `shows`, it only reads or shows; `ends`, it takes a permission back.
 */
export interface Finding {
  /** Last part of the message id `authorized.does.…`. */
  id: string;
  values: Record<string, string>;
  risk: "takes" | "moves" | "careful" | "shows" | "ends";
}

export const finding = (
  risk: Finding["risk"],
  id: string,
  values: Record<string, string> = {},
): Finding => ({ id, values, risk });
