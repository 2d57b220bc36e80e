import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { addAddress, getAddressBook, removeAddress } from "#api/routes/withdraw.ts";
import type { BookEntry } from "#api/withdraw.ts";
import type { Coin } from "#core/money/coins.ts";
import { isNetwork, listNetworks } from "#core/wallet/networks.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Row } from "#ui/Row.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface EntriesProps {
  /** The coin to be withdrawn; null where the book is only edited. */
  coin: Coin | null;
  onPick?: (address: string) => void;
  onEdit: (entry: BookEntry) => void;
}

/** The addresses of the book; pressing one picks it. */
export function Entries({ coin, onPick, onEdit }: EntriesProps) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const book = useApiQuery(getAddressBook, {});
  const { removed, remove, undo, busy, failure } = useRemoval();
  if (book.isError) {
    return <ErrorNote onRetry={() => void book.refetch()}>{errorMessage(book.error)}</ErrorNote>;
  }
  if (!book.data) return <SkeletonRows count={3} />;
  const { items } = book.data;
  return (
    <div className="-mx-4">
      {removed ? (
        <output className="flex items-center justify-between gap-3 px-4 pb-2">
          <span className="min-w-0 text-small text-ink-soft">
            {t("withdraw.book.removed", { name: removed.name })}
          </span>
          <Button variant="outline" size="small" busy={busy} onClick={() => void undo()}>
            {t("withdraw.book.undo")}
          </Button>
        </output>
      ) : null}
      {failure ? (
        <div className="px-4 pb-2">
          <ErrorNote>{failure}</ErrorNote>
        </div>
      ) : null}
      {items.length === 0 ? (
        <p className="px-4 text-small text-ink-soft">{t("withdraw.book.none")}</p>
      ) : (
        <ul className="hairlines border-y border-line">
          {items.map((entry) => (
            <Entry
              key={entry.entry_id}
              coin={coin}
              entry={entry}
              {...(onPick ? { onPick } : {})}
              onEdit={onEdit}
              onRemove={remove}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface EntryProps extends EntriesProps {
  entry: BookEntry;
  onRemove: (entry: BookEntry) => Promise<void>;
}

function Entry({ coin, entry, onPick, onEdit, onRemove }: EntryProps) {
  const t = useText();
  const { name, address, network } = entry;
  const isNetworkValid =
    coin === null || (isNetwork(network) && listNetworks(coin).includes(network));
  const shortAddress = `${address.slice(0, 12)}…${address.slice(-8)}`;
  return (
    <li className="flex items-center">
      <div className="min-w-0 flex-1">
        <Row
          label={<bdi>{name}</bdi>}
          hint={
            <>
              <span className="font-mono">{shortAddress}</span>
              {isNetworkValid ? null : (
                <span className="block">{t("withdraw.book.other", { coin })}</span>
              )}
            </>
          }
          {...(isNetworkValid && onPick ? { onClick: () => onPick(address) } : {})}
        />
      </div>
      <IconButton label={t("withdraw.book.edit", { name })} onClick={() => onEdit(entry)}>
        <IconPencil size={20} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={t("withdraw.book.remove", { name })}
        onClick={() => void onRemove(entry)}
        className="mr-2"
      >
        <IconTrash size={20} aria-hidden="true" />
      </IconButton>
    </li>
  );
}

/** Removes an entry immediately and keeps it for an undo. */
function useRemoval() {
  const errorMessage = useErrorMessage();
  const removing = useApiMutation(removeAddress);
  const adding = useApiMutation(addAddress);
  const [removedEntry, setRemovedEntry] = useState<BookEntry | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (change: () => Promise<unknown>, entryAfter: BookEntry | null) => {
    setFailure(null);
    try {
      await change();
      setRemovedEntry(entryAfter);
    } catch (error) {
      setFailure(errorMessage(error));
    }
    await invalidate(getAddressBook);
  };
  return {
    removed: removedEntry,
    failure,
    busy: adding.isBusy,
    remove: (entry: BookEntry) => run(() => removing.send({ entry_id: entry.entry_id }), entry),
    undo: async () => {
      if (removedEntry)
        await run(
          () => adding.send({ name: removedEntry.name, address: removedEntry.address }),
          null,
        );
    },
  };
}
