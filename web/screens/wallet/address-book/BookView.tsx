import { useState } from "react";
import type { BookEntry } from "#api/withdraw.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { AddressForm } from "./AddressForm.tsx";
import { Entries } from "./Entries.tsx";

/** The address book on its own: add, rename, remove. */
export default function BookView() {
  const t = useText();
  const [editing, setEditing] = useState<BookEntry | "new" | null>(null);
  const [editedEntry, setEditedEntry] = useState<BookEntry | "new">("new");
  // Kept while the sheet slides away.
  if (editing !== null && editing !== editedEntry) setEditedEntry(editing);
  return (
    <div className="px-4 pt-2">
      <Entries coin={null} onEdit={setEditing} />
      <Button block variant="outline" className="mt-6" onClick={() => setEditing("new")}>
        {t("withdraw.book.add")}
      </Button>
      <Sheet
        open={editing !== null}
        onOpenChange={(open) => {
          if (!open) setEditing(null);
        }}
        title={
          editedEntry === "new"
            ? t("withdraw.book.add")
            : t("withdraw.book.edit", { name: editedEntry.name })
        }
      >
        {editing === null ? null : (
          <AddressForm
            coin={null}
            entry={editing === "new" ? null : editing}
            onDone={() => setEditing(null)}
          />
        )}
      </Sheet>
    </div>
  );
}
