import { useEffect } from "react";
import { useText } from "#i18n/useText.ts";
import { Claim } from "#operator/app/Claim.tsx";
import { EntryPage } from "#operator/app/EntryPage.tsx";
import { Shell } from "#operator/app/Shell.tsx";
import { useMe } from "#operator/app/useOperator.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { useLocation } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { startStream } from "#web/lib/stream.ts";

/** Requires a session, then operator status, then shows the console. */
export function Console() {
  const { pathname, search } = useLocation();
  const isOutside = pathname !== "/operator" && !pathname.startsWith("/operator/");
  useEffect(() => {
    // A link into the phone app, which is a different bundle.
    if (isOutside) window.location.replace(pathname + search);
  }, [isOutside, pathname, search]);
  useStream();
  return isOutside ? null : <OperatorIdentity />;
}

function useStream(): void {
  const url = useConfig()?.socket_url;
  useEffect(() => {
    if (url !== undefined) startStream(url);
  }, [url]);
}

function OperatorIdentity() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { status, signIn } = useSession();
  const me = useMe();
  if (status === "signed_out") {
    return (
      <EntryPage title={t("console.enter.title")}>
        <p className="text-ink-soft">{t("console.enter.text")}</p>
        <Button block onClick={signIn}>
          {t("console.enter.do")}
        </Button>
      </EntryPage>
    );
  }
  if (me.error && !me.data) {
    return (
      <EntryPage title={t("console.title")}>
        <ErrorNote onRetry={() => void me.refetch()} busy={me.isFetching}>
          {errorMessage(me.error)}
        </ErrorNote>
      </EntryPage>
    );
  }
  if (status === "loading" || !me.data) {
    return (
      <main className="mx-auto max-w-120 pt-12">
        <SkeletonRows />
      </main>
    );
  }
  return me.data.operator ? <Shell me={me.data.operator} /> : <Claim />;
}
