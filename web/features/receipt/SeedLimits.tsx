import { parseWitnessKey } from "#core/transparency-log/witnesses/cosignature.ts";
import { useText } from "#i18n/useText.ts";
import { readWitnessKeys } from "#web/features/receipt/witnesses.ts";

/**
 * Whether whoever runs the instance could have chosen a day's seed. `witness`: the key whose
 * cosignature was mixed in; null if nothing was.
 */
export function SeedLimits({ witness }: { witness: string | null }) {
  const t = useText();
  if (witness === null) return t("receipt.limits.seed.none");
  const keyOf = (vkey: string) => parseWitnessKey(vkey)?.publicKey.join();
  const isNamed = readWitnessKeys().some((named) => keyOf(named) === keyOf(witness));
  const { name = witness } = parseWitnessKey(witness) ?? {};
  return t(isNamed ? "receipt.limits.seed.witness" : "receipt.limits.seed.unknown", { name });
}
