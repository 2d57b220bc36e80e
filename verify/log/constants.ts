import { MismatchError } from "./bytes.ts";
import { canonicalText } from "./canonical.ts";

/** Throws `constants_differ` for terms in which a member that the rules fix has another value. */
export function requireConstants(terms: object, constants: { [name: string]: unknown }): void {
  for (const [name, fixed] of Object.entries(constants)) {
    const statedText = canonicalText((terms as Record<string, unknown>)[name]);
    const ruled = canonicalText(fixed);
    if (statedText !== ruled)
      throw new MismatchError(
        "terms",
        "constants_differ",
        `${name} ${statedText}, by the rules ${ruled}`,
      );
  }
}
