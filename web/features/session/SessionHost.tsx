import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { loadMessages } from "#i18n/load.ts";
import { useText } from "#i18n/useText.ts";
import { notify, toast } from "#ui/overlay/toast.ts";
import { InviteQuestionHost } from "#web/features/session/InviteQuestionHost.tsx";
import type { WalletChange } from "#web/features/session/provider.ts";
import {
  endSession,
  getCurrentUser,
  leaveSession,
  sessionKey,
} from "#web/features/session/sessionCache.ts";
import { closeSheets, openSignIn, useSheets } from "#web/features/session/sheets.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { queryClient } from "#web/lib/api/client.ts";
import { onSessionRequired } from "#web/lib/api/unauthorizedFetch.ts";
import { reportFailure } from "#web/lib/start/errorLog.ts";
import { NotLoaded } from "#web/lib/start/NotLoaded.tsx";
import { useStreamEvent } from "#web/lib/stream.ts";
import { getUsedWallet, getWalletSubscription } from "./walletStorage.ts";

/**
 * Part of the frame: shows the session's sheets, and reacts when a session or wallet changes
 * without a press here.
 */
export function SessionHost() {
  const { open } = useSheets();
  const { loaded, failed: hasFailed } = useSheetCode(open);
  useLostSession();
  useWalletChanges();
  // Loaded sheets stay mounted, so that their closing animation plays.
  const { SignIn, Terms } = loaded;
  return (
    <>
      {SignIn ? <SignIn open={open === "sign_in"} onClose={() => closeSheets()} /> : null}
      {Terms ? <Terms open={open === "terms"} onEnd={closeSheets} /> : null}
      <InviteQuestionHost />
      {hasFailed && open !== "none" ? <NotLoaded onClose={closeSheets} /> : null}
    </>
  );
}

interface LoadedSheets {
  SignIn?: ComponentType<{ open: boolean; onClose: () => void }>;
  Terms?: ComponentType<{ open: boolean; onEnd: (accepted: boolean) => void }>;
}

/** Loads the code and messages of a sheet when it is first opened. */
function useSheetCode(open: "none" | "sign_in" | "terms"): {
  loaded: LoadedSheets;
  failed: boolean;
} {
  const [loaded, setLoaded] = useState<LoadedSheets>({});
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (open === "none") return;
    const load = async (): Promise<LoadedSheets> => {
      const words = loadMessages(["sign-in"]);
      if (open === "terms") {
        const [terms] = await Promise.all([import("#web/features/session/TermsSheet.tsx"), words]);
        return { Terms: terms.default };
      }
      const [signIn] = await Promise.all([import("#web/features/session/SignInSheet.tsx"), words]);
      return { SignIn: signIn.default };
    };
    load().then(
      (moreWallets) => {
        setFailed(false);
        setLoaded((before) => ({ ...before, ...moreWallets }));
      },
      (error: unknown) => {
        reportFailure("chunk", error);
        setFailed(true);
      },
    );
  }, [open]);
  return { loaded, failed };
}

/**
 * Ends the session here when it ended elsewhere, without a reload and without losing what was
 * typed.
 */
function useLostSession(): void {
  const t = useText();
  const onSessionLost = useEffectEvent(() => {
    if (!getCurrentUser()) return;
    leaveSession();
    notify(t("session.lost.title"), t("session.lost.text"));
  });
  useEffect(() => onSessionRequired(() => onSessionLost()), []);
  useStreamEvent("session", ({ signed_in }) => {
    // The socket may predate the sign-in; ask the server.
    if (!signed_in && getCurrentUser())
      void queryClient.invalidateQueries({ queryKey: sessionKey });
  });
}

/**
 * Follows the browser wallet that opened this session: another account ends the session, another
 * network does not.
 */
function useWalletChanges(): void {
  const t = useText();
  const { user } = useSession();
  const address = user?.address.toLowerCase() ?? null;
  const onAccountsChanged = useEffectEvent((accounts: readonly string[]) => {
    if (accounts.length === 0) return toast(t("session.wallet.locked"));
    if (accounts.some((account) => account.toLowerCase() === address)) return;
    // The session also ends on the server: the user of the other account must not find it open.
    void endSession().then(
      () => openSignIn("account_changed"),
      () => toast(t("session.wallet.changed")),
    );
  });
  useEffect(() => {
    const usedWallet = getUsedWallet();
    if (address === null || usedWallet?.kind !== "browser") return;
    const handleChange = (change: WalletChange) => {
      if (change.kind === "accounts") onAccountsChanged(change.accounts);
      else if (change.kind === "disconnected") toast(t("session.wallet.locked"));
      else toast(t("session.wallet.network"));
    };
    // After a sign-in on this page the wallet is known: subscribe immediately, so that no change
    // right after the sign-in is missed.
    const onChange = getWalletSubscription();
    if (onChange) return onChange(handleChange);
    let stop = () => {};
    let hasLeft = false;
    void import("#web/features/session/discover.ts").then(async ({ findWallet }) => {
      const wallet = await findWallet(usedWallet.rdns);
      if (wallet && !hasLeft) stop = wallet.wallet.onChange(handleChange);
    });
    return () => {
      hasLeft = true;
      stop();
    };
  }, [address, t]);
}
