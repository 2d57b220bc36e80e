import { useEffect, useEffectEvent, useRef } from "react";
import { ensureOutsideAddress, getAddressBook } from "#api/routes/withdraw.ts";
import { deriveOutsideAddress } from "#core/addresses/address.ts";
import type { Coin } from "#core/money/coins.ts";
import { isNetwork, listNetworks } from "#core/wallet/networks.ts";
import { useText } from "#i18n/useText.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";

/**
 * The address of the person's own practice account outside, for a coin: asked for when no entry of
 * the address book fits the coin. Null until it is in the book, or where its owner removed it.
 */
export function useOutsideAccount(coin: Coin): string | null {
  const t = useText();
  const { user } = useSession();
  const world = useConfig()?.world.name;
  const { data } = useApiQuery(getAddressBook, {});
  const { send } = useApiMutation(ensureOutsideAddress);
  const isAsked = useRef(false);
  const networks = listNetworks(coin);
  const entries = data?.items;
  const fitting = entries?.filter(
    ({ network }) => isNetwork(network) && networks.includes(network),
  );
  const isMissing = fitting?.length === 0;
  const ensure = useEffectEvent(async () => {
    const [network] = networks;
    if (isAsked.current || !network) return;
    isAsked.current = true;
    // Refused (a full book, a read-only view): the address is then typed or picked as before.
    await send({ network, name: t("withdraw.book.outside") }).catch(() => {});
    await invalidate(getAddressBook);
  });
  useEffect(() => {
    if (isMissing) void ensure();
  }, [isMissing]);
  if (!user || world === undefined) return null;
  const outsideAddresses = networks.map((network) =>
    deriveOutsideAddress(world, user.user_id, network),
  );
  return fitting?.find(({ address }) => outsideAddresses.includes(address))?.address ?? null;
}
