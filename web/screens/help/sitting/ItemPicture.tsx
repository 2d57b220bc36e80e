import { IconLock, IconMail, IconShieldQuestion } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Item, Medium } from "#core/lesson/items.ts";
import { useText } from "#i18n/useText.ts";

/** The parts of an item that every medium draws. */
interface Drawing {
  from: string;
  text: string;
}

/**
 * An item as one would meet it, in our own line drawing: a chat, a page with its address, an
 * e-mail, or a wallet's window over a page. Nothing in it can be pressed.
 */
export function ItemPicture({ item }: { item: Item }) {
  const t = useText();
  const Picture = pictures[item.medium];
  return (
    <figure className="overflow-hidden rounded-dock border border-line-strong bg-leaf">
      <figcaption className="flex flex-wrap justify-between gap-x-3 border-b border-line px-4 py-1.5 text-caption text-ink-soft wide:text-small">
        <span className="font-strong">{t(`sitting.medium.${item.medium}`)}</span>
        <span>{t("sitting.invented")}</span>
      </figcaption>
      <Picture
        from={item.from ?? t(`sitting.${item.name}.from`)}
        text={t(`sitting.${item.name}.text`)}
      />
    </figure>
  );
}

const pictures: Record<Medium, (drawing: Drawing) => ReactNode> = {
  chat: Chat,
  page: BrowserPage,
  mail: Mail,
  wallet: Wallet,
};

function Chat({ from, text }: Drawing) {
  return (
    <div className="flex flex-col gap-3 p-4">
      <p className="flex items-center gap-2 text-small font-strong">
        <span
          aria-hidden="true"
          className="size-7 shrink-0 rounded-full border border-line-strong"
        />
        <span className="min-w-0 break-words">{from}</span>
      </p>
      <p className="max-w-[92%] rounded-dock rounded-bl-none bg-well px-3.5 py-2.5">{text}</p>
    </div>
  );
}

function BrowserPage({ from, text }: Drawing) {
  return (
    <>
      <p className="flex items-center gap-2 border-b border-line bg-well px-3 py-2">
        <span className="flex min-w-0 flex-1 items-center gap-1.5 rounded-full border border-line bg-leaf px-3 py-1 text-small">
          <IconLock size={14} aria-hidden="true" className="shrink-0 text-ink-faint" />
          <span className="min-w-0 font-mono [overflow-wrap:anywhere]">{from}</span>
        </span>
      </p>
      <div className="flex flex-col gap-4 p-4">
        <p>{text}</p>
        <span aria-hidden="true" className="flex flex-col gap-2">
          <span className="h-1.5 w-3/4 rounded-full bg-well" />
          <span className="h-1.5 w-1/2 rounded-full bg-well" />
        </span>
      </div>
    </>
  );
}

function Mail({ from, text }: Drawing) {
  return (
    <div className="p-4">
      <p className="flex items-center gap-2 border-b border-line pb-3 text-small">
        <IconMail size={18} aria-hidden="true" className="shrink-0 text-ink-soft" />
        <span className="min-w-0 font-mono [overflow-wrap:anywhere]">{from}</span>
      </p>
      <p className="pt-3">{text}</p>
    </div>
  );
}

function Wallet({ from, text }: Drawing) {
  return (
    <div className="bg-well pt-6">
      <div className="flex flex-col gap-3 rounded-t-[16px] border-t border-line-strong bg-leaf p-4">
        <p className="flex items-center gap-2 text-small">
          <IconShieldQuestion size={22} aria-hidden="true" className="shrink-0 text-ink-soft" />
          <span className="min-w-0 font-mono [overflow-wrap:anywhere]">{from}</span>
        </p>
        <p>{text}</p>
        <span aria-hidden="true" className="flex justify-end gap-2">
          <span className="h-6 w-16 rounded-full border border-line" />
          <span className="h-6 w-16 rounded-full bg-well" />
        </span>
      </div>
    </div>
  );
}
