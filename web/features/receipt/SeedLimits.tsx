import { getBeaconName } from "#core/transparency-log/beacon.ts";
import type { MixedSeed } from "#core/transparency-log/seedLeaf.ts";
import { parseWitnessKey } from "#core/transparency-log/witnesses/cosignature.ts";
import { useText } from "#i18n/useText.ts";
import { readWitnessKeys } from "#web/features/receipt/witnesses.ts";

/**
 * States whether the operator of the instance could have chosen a day's seed, given the source
 * mixed into it; null if there is none.
 */
export function SeedLimits({ seed }: { seed: MixedSeed | null }) {
  const t = useText();
  const { source, due } = seed ?? { source: { kind: "none" } as const, due: null };
  if (source.kind === "beacon") {
    const name = due && getBeaconName(due);
    const round = String(source.round);
    return name
      ? t("receipt.limits.seed.beacon", { name, round })
      : t("receipt.limits.seed.beacon_unknown");
  }
  if (due) return t("receipt.limits.seed.round_missed");
  if (source.kind === "none") return t("receipt.limits.seed.none");
  const toKey = (vkey: string) => parseWitnessKey(vkey)?.publicKey.join();
  const isNamed = readWitnessKeys().some((key) => toKey(key) === toKey(source.vkey));
  const { name = source.vkey } = parseWitnessKey(source.vkey) ?? {};
  return t(isNamed ? "receipt.limits.seed.witness" : "receipt.limits.seed.unknown", { name });
}
