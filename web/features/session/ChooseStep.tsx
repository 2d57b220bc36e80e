import { IconAnchor, IconRestore, IconWallet } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Fold } from "#ui/Fold.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { type DiscoveredWallet, findWallets } from "#web/features/session/discover.ts";
import { closeSheets } from "#web/features/session/sheets.ts";
import { WalletApps } from "#web/features/session/WalletApps.tsx";
import { useConfig } from "#web/lib/api/useConfig.ts";

const downloadPage = "https://ethereum.org/en/wallets/find-wallet/";

interface Props {
  /**
   * The wallet whose answer is awaited. A browser wallet that never answers does not block the
   * others.
   */
  busy: "practice" | "browser" | null;
  note: ReactNode;
  hasPractice: boolean;
  /** Storage has something under the practice wallet's name that cannot be read. */
  isUnreadable: boolean;
  /** Creates the practice wallet if there is none, and signs in with it. */
  onPractice: () => void;
  /** Does the same, but first shows what will be signed. */
  onRead: () => void;
  onRestore: () => void;
  onWallet: (wallet: DiscoveredWallet) => void;
}

/**
 * Lists the practice wallet first, then every browser wallet that was found, or a link to get one.
 */
export function ChooseStep(props: Props) {
  const { busy, note, hasPractice, isUnreadable, onPractice, onRead, onRestore, onWallet } = props;
  const t = useText();
  const wallets = useWallets();
  return (
    <div className="flex flex-col gap-6">
      {note}
      <section className="flex flex-col gap-3">
        <div className="flex gap-3">
          <IconAnchor size={24} className="mt-0.5 shrink-0 text-ink-soft" aria-hidden="true" />
          <div>
            <h3 className="font-strong">{t("sign-in.practice.title")}</h3>
            <p className="text-small text-ink-soft">
              {t("sign-in.practice.text")} {t("sign-in.review.moves.practice")}
            </p>
          </div>
        </div>
        {isUnreadable ? <ErrorNote>{t("sign-in.practice.unreadable")}</ErrorNote> : null}
        <Button block busy={busy === "practice"} onClick={onPractice}>
          {t(hasPractice ? "sign-in.practice.use" : "sign-in.practice.make")}
        </Button>
        <div className="-mx-3.5 flex flex-wrap justify-between gap-x-2">
          <Button variant="quiet" size="small" disabled={busy === "practice"} onClick={onRead}>
            {t("sign-in.practice.read")}
          </Button>
          <Button
            variant="quiet"
            size="small"
            icon={<IconRestore size={18} aria-hidden="true" />}
            disabled={busy === "practice"}
            onClick={onRestore}
          >
            {t("sign-in.practice.restore")}
          </Button>
        </div>
      </section>
      <section>
        <h3 className="font-strong">{t("sign-in.browser.title")}</h3>
        {wallets && wallets.length > 0 ? (
          <>
            <p className="mt-1 text-small text-ink-soft">{t("sign-in.browser.text")}</p>
            <div className="hairlines -mx-4 mt-3 border-y border-line">
              {wallets.map((discoveredWallet) => (
                <Row
                  key={`${discoveredWallet.rdns}/${discoveredWallet.name}`}
                  label={discoveredWallet.name || t("sign-in.browser.unnamed")}
                  leading={<WalletMark wallet={discoveredWallet} />}
                  onClick={() => {
                    if (busy !== "practice") onWallet(discoveredWallet);
                  }}
                />
              ))}
            </div>
          </>
        ) : (
          // Reserves the space while wallets are discovered, so that nothing moves under a finger.
          <p className={cx("mt-1 text-small text-ink-soft", wallets === null && "invisible")}>
            {t("sign-in.browser.none")}{" "}
            <a
              href={downloadPage}
              target="_blank"
              rel="noreferrer"
              className="text-signal-ink underline underline-offset-2"
            >
              {t("sign-in.browser.download")}
            </a>
          </p>
        )}
        {wallets?.length === 0 ? <WalletApps /> : null}
        {busy === "browser" ? (
          <output className="mt-3 block text-small text-ink-soft">
            {t("sign-in.browser.waiting")}
          </output>
        ) : null}
      </section>
      <Plainly />
    </div>
  );
}

/** A disclaimer in one line; the rest, and the operator, are one press away. */
function Plainly() {
  const t = useText();
  const operator = useConfig()?.operator;
  return (
    <div className="text-small text-ink-soft">
      <p>{t("sign-in.plain.money")}</p>
      <Fold label={t("sign-in.plain.more")}>
        <div className="flex flex-col gap-2">
          <p>{t("sign-in.plain.custody")}</p>
          <p>{t("sign-in.plain.adults")}</p>
          <p>
            {operator?.name
              ? t("sign-in.plain.operator", {
                  name: operator.name,
                  contact: operator.contact ?? "",
                })
              : t("sign-in.plain.local")}{" "}
            <Link
              to="/help"
              onClick={() => closeSheets()}
              className="text-signal-ink underline underline-offset-2"
            >
              {t("sign-in.plain.help")}
            </Link>
          </p>
        </div>
      </Fold>
    </div>
  );
}

function WalletMark({ wallet }: { wallet: DiscoveredWallet }) {
  return wallet.icon ? (
    <img src={wallet.icon} alt="" width={32} height={32} className="size-8 rounded-[6px]" />
  ) : (
    <IconWallet size={28} aria-hidden="true" />
  );
}

/** Null while the browser's wallets are being discovered. */
function useWallets(): DiscoveredWallet[] | null {
  const [wallets, setWallets] = useState<DiscoveredWallet[] | null>(null);
  useEffect(() => {
    let stop = () => {};
    let hasLeft = false;
    void findWallets(setWallets).then((search) => {
      stop = search.stop;
      if (hasLeft) stop();
      else setWallets(search.wallets);
    });
    return () => {
      hasLeft = true;
      stop();
    };
  }, []);
  return wallets;
}
