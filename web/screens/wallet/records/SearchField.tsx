import { IconSearch } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { TextInput } from "#ui/form/TextInput.tsx";
import { IconButton } from "#ui/IconButton.tsx";

/** Part of an id or an address; applied when submitted or cleared. */
export function SearchField({
  value,
  onSearch,
}: {
  value: string;
  onSearch: (text: string) => void;
}) {
  const t = useText();
  const [text, setText] = useState(value);
  const [isShort, setIsShort] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const length = text.trim().length;
    setIsShort(length > 0 && length < 4);
    if (length === 0 || length >= 4) onSearch(text.trim());
  };
  return (
    <search>
      <form onSubmit={submit} className="px-4 pt-1 pb-2">
        <div className="flex items-center gap-1">
          <TextInput
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={120}
            aria-label={t("records.search")}
            placeholder={t("records.search")}
            aria-invalid={isShort}
            value={text}
            onChange={(next) => {
              setText(next);
              setIsShort(false);
              if (next === "") onSearch("");
            }}
          />
          <IconButton label={t("records.search.do")} type="submit">
            <IconSearch size={20} aria-hidden="true" />
          </IconButton>
        </div>
        <p aria-live="polite" className="pt-1 text-small text-flare empty:hidden">
          {isShort ? t("records.search.short") : ""}
        </p>
      </form>
    </search>
  );
}
