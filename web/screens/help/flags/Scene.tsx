import { IconId, IconLock, IconShieldQuestion } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import type { Flag } from "#web/screens/help/flags/flags.ts";

/**
 * An invented phone screen as such a fraud would show it: no real brand or address. Nothing on it
 * can be pressed, so it does not use the signal colour.
 */
export function Scene({ flag }: { flag: Flag }) {
  const t = useText();
  const lines = [1, 2, 3].map((number) => t(`safety.flag.${flag.id}.s${number}`));
  return (
    <figure className="mx-auto w-full max-w-72">
      <div
        aria-hidden="true"
        className="overflow-hidden rounded-[28px] border-4 border-line-strong bg-leaf"
      >
        <div className="flex justify-center pt-2">
          <span className="h-1.5 w-14 rounded-full bg-line-strong" />
        </div>
        <div className="min-h-60 p-4 text-small">
          {flag.scene === "chat" ? <Chat lines={lines} /> : null}
          {flag.scene === "screen" ? <Screen lines={lines} id={flag.id} /> : null}
          {flag.scene === "chart" ? <Chart lines={lines} id={flag.id} /> : null}
          {flag.scene === "wallet" ? <Wallet lines={lines} /> : null}
        </div>
      </div>
      <figcaption className="pt-2 text-center text-caption text-ink-faint">
        {t("safety.flags.invented")}
        <span className="sr-only">{t("safety.flags.scene", { text: lines.join(" / ") })}</span>
      </figcaption>
    </figure>
  );
}

interface LinesProps {
  lines: readonly string[];
}

/** A chat: them, you, them. */
function Chat({ lines }: LinesProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2 border-b border-line pb-3">
        <span className="size-8 rounded-full bg-well" />
        <span className="h-2 w-24 rounded-full bg-well" />
      </div>
      {lines.map((line, index) => (
        <p
          key={line}
          className={cx(
            "max-w-[88%] px-3 py-2",
            index === 1
              ? "self-end rounded-[14px_14px_2px_14px] bg-warning-wash text-ink"
              : "self-start rounded-[14px_14px_14px_2px] bg-well text-ink",
          )}
        >
          {line}
        </p>
      ))}
    </div>
  );
}

/** A face on a card, a lock, or bars that only grow. */
function Screen({ lines: [head, body, button], id }: LinesProps & { id: string }) {
  return (
    <div className="flex min-h-52 flex-col gap-4">
      <p className="text-ink-soft">{head}</p>
      <p className="text-title font-strong">{body}</p>
      {id === "fee" ? <IconLock size={40} stroke={1.5} className="text-ink-faint" /> : null}
      {id === "documents" ? <IconId size={64} stroke={1.25} className="text-ink-faint" /> : null}
      {id === "fee" || id === "documents" ? null : <Bars />}
      <FlatButton>{button}</FlatButton>
    </div>
  );
}

function Bars() {
  return (
    <div className="flex items-end gap-1.5">
      {[10, 16, 24, 36, 52].map((height) => (
        <span key={height} className="w-6 bg-line-strong" style={{ height }} />
      ))}
    </div>
  );
}

const risen = "M4 84 30 76 52 78 78 60 104 62 132 42 160 36 190 20 216 10";
const dipped = "M4 44 30 50 52 38 78 42 104 30 132 34 160 26 186 30 192 86 216 84";

/** A line that only rises, or one that falls in the last second. */
function Chart({ lines: [head, body, button], id }: LinesProps & { id: string }) {
  const falls = id === "expiry";
  return (
    <div className="flex min-h-52 flex-col gap-3">
      <p className="text-ink-soft">{head}</p>
      <svg viewBox="0 0 220 96" fill="none" aria-hidden="true" className="w-full text-ink-soft">
        <path d="M4 92h212" stroke="currentColor" strokeOpacity=".4" />
        {falls ? (
          <path d="M188 6v86" stroke="currentColor" strokeOpacity=".6" strokeDasharray="3 4" />
        ) : null}
        <path
          d={falls ? dipped : risen}
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
        />
      </svg>
      <p className="font-strong">{body}</p>
      <FlatButton>{button}</FlatButton>
    </div>
  );
}

/** A wallet's own window over a page. */
function Wallet({ lines: [head, body, button] }: LinesProps) {
  return (
    <div className="flex min-h-52 flex-col justify-between gap-4">
      <p className="text-ink-soft">{head}</p>
      <div className="-mx-4 -mb-4 flex flex-col gap-3 rounded-t-[16px] border-t border-line-strong bg-paper p-4">
        <IconShieldQuestion size={24} className="text-ink-soft" />
        <span className="block font-mono text-caption text-ink-faint">
          0x095ea7b3 0000 0000 ffff ffff ffff ffff
        </span>
        <p className="font-strong">{body}</p>
        <FlatButton>{button}</FlatButton>
      </div>
    </div>
  );
}

function FlatButton({ children }: { children: string | undefined }) {
  return (
    <span className="mt-auto block rounded-dock border border-line-strong bg-well px-3 py-2 text-center font-strong text-ink-soft">
      {children}
    </span>
  );
}
