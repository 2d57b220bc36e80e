import { getAddressBook } from "#api/routes/withdraw.ts";
import { deriveAddress } from "#core/addresses/address.ts";
import { findLookAlike } from "#core/addresses/lookAlike.ts";
import { useText } from "#i18n/useText.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import type { DestinationResult } from "./parseParams.ts";

/** The owner of the address, if known, and any warning. None of it blocks the withdrawal. */
export function useAddressNote(destinationResult: DestinationResult): {
  hint: string | undefined;
  warnings: string[];
} {
  const t = useText();
  const { user } = useSession();
  const config = useConfig();
  const book = useApiQuery(getAddressBook, {});
  if (!destinationResult.ok) return { hint: undefined, warnings: [] };
  const { address, network } = destinationResult;
  const entries = book.data?.items ?? [];
  const knownEntry = entries.find((entry) => entry.address === address);
  const warnings: string[] = [];
  if (user && config && deriveAddress(config.world.name, user.user_id, network) === address) {
    warnings.push(t("withdraw.address.own"));
  }
  const lookAlike = knownEntry
    ? null
    : findLookAlike(
        address,
        entries.map((entry) => entry.address),
      );
  const alikeName = entries.find((entry) => entry.address === lookAlike)?.name;
  if (alikeName) warnings.push(t("withdraw.book.alike", { name: alikeName }));
  const hint = knownEntry
    ? t("withdraw.address.known", { name: knownEntry.name, network })
    : t("withdraw.address.on", { network });
  return { hint, warnings };
}
