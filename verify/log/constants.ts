import { MismatchError } from "./bytes.ts";
import { canonicalText } from "./canonical.ts";

/** Throws `constants_differ` for terms in which a member that the rules fix has another value. */
export function requireConstants(terms: object, constants: { [name: string]: unknown }): void {
  for (const [name, fixed] of Object.entries(constants)) {
    const stated = canonicalText((terms as Record<string, unknown>)[name]);
    const ruled = canonicalText(fixed);
    if (stated !== ruled)
      throw new MismatchError(
        "terms",
        "constants_differ",
        `${name} ${stated}, by the rules ${ruled}`,
      );
  }
}
