import { useState } from "react";
import type { BookEntry } from "#api/withdraw.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { AddressForm } from "./AddressForm.tsx";
import { Entries } from "./Entries.tsx";

interface BookSheetProps {
  coin: Coin;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onPick: (address: string) => void;
}

/** The address book: pick, add, rename, remove and undo a removal. */
export function BookSheet({ coin, open, onOpenChange, onPick }: BookSheetProps) {
  const t = useText();
  const [editing, setEditing] = useState<BookEntry | "new" | null>(null);
  const title =
    editing === "new"
      ? t("withdraw.book.add")
      : editing
        ? t("withdraw.book.edit", { name: editing.name })
        : t("withdraw.book.title");
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        setEditing(null);
        onOpenChange(next);
      }}
      title={title}
      actions={
        editing ? null : (
          <Button block variant="outline" onClick={() => setEditing("new")}>
            {t("withdraw.book.add")}
          </Button>
        )
      }
    >
      {editing ? (
        <AddressForm
          coin={coin}
          entry={editing === "new" ? null : editing}
          onDone={() => setEditing(null)}
        />
      ) : (
        <Entries coin={coin} onPick={onPick} onEdit={setEditing} />
      )}
    </Sheet>
  );
}
