import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import { useIntl } from "react-intl";
import { notify, toast } from "#ui/toast.ts";
import { queryClient } from "#web/app/client.ts";
import { captureInvite } from "#web/app/session/invite.ts";
import { onSessionRequired } from "#web/app/session/lost.ts";
import {
  currentUser,
  endSession,
  leaveSession,
  sessionKey,
} from "#web/app/session/sessionCache.ts";
import { closeSheets, openSignIn, useSheets } from "#web/app/session/sheets.ts";
import { useSession } from "#web/app/session/useSession.ts";
import { usedWallet } from "#web/app/session/walletMemory.ts";
import { useStreamEvent } from "#web/app/stream.ts";

const SignInSheet = lazy(() => import("#web/app/session/SignInSheet.tsx"));
const TermsSheet = lazy(() => import("#web/app/session/TermsSheet.tsx"));

captureInvite(window.location.search);

/** Part of the frame: the session's sheets, and what has to happen when a session or a wallet changes by itself. */
export function SessionHost() {
  const { open } = useSheets();
  const [wasOpen, setWasOpen] = useState({ sign_in: false, terms: false });
  useLostSession();
  useWalletChanges();
  // Once loaded they stay mounted, so that closing is drawn too.
  if (open !== "none" && !wasOpen[open]) setWasOpen({ ...wasOpen, [open]: true });
  return (
    <Suspense fallback={null}>
      {wasOpen.sign_in ? (
        <SignInSheet open={open === "sign_in"} onClose={() => closeSheets()} />
      ) : null}
      {wasOpen.terms ? <TermsSheet open={open === "terms"} onEnd={closeSheets} /> : null}
    </Suspense>
  );
}

/** A session that ended elsewhere ends here too, without a reload and without losing what was typed. */
function useLostSession(): void {
  const { formatMessage } = useIntl();
  const lost = useEffectEvent(() => {
    if (!currentUser()) return;
    leaveSession();
    notify(formatMessage({ id: "session.lost.title" }), formatMessage({ id: "session.lost.text" }));
  });
  useEffect(() => onSessionRequired(() => lost()), []);
  useStreamEvent("session", ({ signed_in }) => {
    // The socket may have begun before the sign-in; the server decides.
    if (!signed_in && currentUser()) void queryClient.invalidateQueries({ queryKey: sessionKey });
  });
}

/** Follows the browser wallet that opened this session: another account ends the session, another network changes nothing. */
function useWalletChanges(): void {
  const { formatMessage } = useIntl();
  const { user } = useSession();
  const address = user?.address.toLowerCase() ?? null;
  const changed = useEffectEvent((accounts: readonly string[]) => {
    const text = (id: string) => formatMessage({ id });
    if (accounts.length === 0) return toast(text("session.wallet.locked"));
    if (accounts.some((account) => account.toLowerCase() === address)) return;
    // Ended on the server as well: whoever uses the other account must not find this session open.
    void endSession().then(
      () => openSignIn("account_changed"),
      () => toast(text("session.wallet.changed")),
    );
  });
  useEffect(() => {
    const used = usedWallet();
    if (address === null || used?.kind !== "browser") return;
    let stop = () => {};
    let left = false;
    void import("#web/app/session/discover.ts").then(async ({ findWallet }) => {
      const found = await findWallet(used.rdns);
      if (!found || left) return;
      stop = found.wallet.onChange((change) => {
        if (change.kind === "accounts") changed(change.accounts);
        else if (change.kind === "disconnected")
          toast(formatMessage({ id: "session.wallet.locked" }));
        else toast(formatMessage({ id: "session.wallet.network" }));
      });
    });
    return () => {
      left = true;
      stop();
    };
  }, [address, formatMessage]);
}
