import { useState } from "react";
import { addAddress, getAddressBook, renameAddress } from "#api/routes/withdraw.ts";
import type { BookEntry } from "#api/withdraw.ts";
import { encodeAddress } from "#core/addresses/address.ts";
import { findLookAlike } from "#core/addresses/lookAlike.ts";
import type { Coin } from "#core/money/coins.ts";
import { listNetworks, type Network, networkNames } from "#core/wallet/networks.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { parseDestination } from "../withdraw/parseParams.ts";
import { useDestinationErrorMessage } from "../withdraw/useDestinationErrorMessage.ts";

/** Names an address, or renames one. With `entry` null it adds a new one. */
export function AddressForm({
  coin,
  entry,
  onDone,
}: {
  /** The coin to be withdrawn there; null accepts any address of the practice networks. */
  coin: Coin | null;
  entry: BookEntry | null;
  onDone: () => void;
}) {
  const t = useText();
  const [name, setName] = useState(entry?.name ?? "");
  const [address, setAddress] = useState(entry?.address ?? "");
  const fitting = coin === null ? networkNames : listNetworks(coin);
  const [network, setNetwork] = useState<Network>(fitting[0] as Network);
  const result = parseDestination(coin, address);
  const problem = useDestinationErrorMessage(coin);
  const lookAlike = useAlike(entry ? null : result.ok ? result.address : null);
  const { save, busy, failure } = useSave(entry, onDone);
  const [isChecked, setIsChecked] = useState(false);
  const complains = !entry && !result.ok && (isChecked || result.error !== "empty");
  return (
    <div className="flex flex-col gap-5">
      <Field label={t("withdraw.book.name")} hint={t("withdraw.book.name.hint")}>
        <TextInput value={name} onChange={setName} autoComplete="off" maxLength={120} />
      </Field>
      {entry ? null : (
        <>
          <Field
            label={t("withdraw.book.address")}
            hint={result.ok ? t("withdraw.address.on", { network: result.network }) : undefined}
            error={complains ? problem(result) : undefined}
          >
            <TextInput
              value={address}
              onChange={setAddress}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={200}
              className="font-mono text-small!"
            />
          </Field>
          {lookAlike ? (
            <p className="text-small text-warning">
              {t("withdraw.book.alike", { name: lookAlike })}
            </p>
          ) : null}
          <div className="flex flex-col gap-2">
            {fitting.length > 1 ? (
              <Segmented
                label={t("withdraw.book.make")}
                value={network}
                onChange={setNetwork}
                options={fitting.map((value) => ({ value, label: value }))}
              />
            ) : null}
            <Button
              variant="outline"
              onClick={() =>
                setAddress(encodeAddress(network, crypto.getRandomValues(new Uint8Array(20))))
              }
            >
              {t("withdraw.book.make")}
            </Button>
            <p className="text-caption text-ink-faint">{t("withdraw.book.make.hint")}</p>
          </div>
        </>
      )}
      {failure ? <ErrorNote>{failure}</ErrorNote> : null}
      <div className="flex flex-col gap-2">
        <Button
          block
          busy={busy}
          onClick={() => {
            setIsChecked(true);
            if (result.ok)
              void save(name.trim() === "" ? getShortName(result.address) : name, address.trim());
          }}
        >
          {t("withdraw.book.save")}
        </Button>
        <Button block variant="quiet" disabled={busy} onClick={onDone}>
          {t("withdraw.back")}
        </Button>
      </div>
    </div>
  );
}

/** The display name of an address without a name: its beginning and its end. */
function getShortName(address: string): string {
  return `${address.slice(0, 12)}…${address.slice(-8)}`;
}

/** Name of the entry that looks like `address` at both ends; null when there is none. */
function useAlike(address: string | null): string | null {
  const book = useApiQuery(getAddressBook, {});
  const entries = book.data?.items ?? [];
  if (address === null) return null;
  const lookAlike = findLookAlike(
    address,
    entries.map((entry) => entry.address),
  );
  return entries.find((entry) => entry.address === lookAlike)?.name ?? null;
}

function useSave(entry: BookEntry | null, onDone: () => void) {
  const errorMessage = useErrorMessage();
  const adding = useApiMutation(addAddress);
  const renaming = useApiMutation(renameAddress);
  const [failure, setFailure] = useState<string | null>(null);
  const save = async (name: string, address: string) => {
    setFailure(null);
    try {
      if (entry) await renaming.send({ entry_id: entry.entry_id, name });
      else await adding.send({ name, address });
      onDone();
    } catch (error) {
      setFailure(errorMessage(error));
    }
    await invalidate(getAddressBook);
  };
  return { save, busy: adding.isBusy || renaming.isBusy, failure };
}
