import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { listAuthorisations, listSessions, revokeAuthorisation } from "#api/routes/session.ts";
import { parseMessage } from "#core/session/message.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Dialog } from "#ui/overlay/Dialog.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { getCurrentUser, sessionKey } from "#web/features/session/sessionCache.ts";
import { replacePracticeAddress } from "#web/features/session/walletStorage.ts";
import { queryClient } from "#web/lib/api/client.ts";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

type Authorisation = AnswerOf<typeof listAuthorisations>["items"][number];

/**
 * Every signed message and accepted version of the terms, with its text; those in force can be
 * revoked.
 */
export function Agreed() {
  const t = useText();
  const query = useApiQuery(listAuthorisations, {});
  const { data, error } = query;
  const [openedAuthorisation, setOpenedAuthorisation] = useState<Authorisation | null>(null);
  return (
    <Section title={t("wallet-requests.agreed.title")} note={t("wallet-requests.agreed.note")}>
      {data?.items.map((item) => (
        <Entry
          key={item.authorisation_id}
          authorisation={item}
          onRevoke={() => setOpenedAuthorisation(item)}
        />
      ))}
      {data?.items.length === 0 ? (
        <p className="px-4 py-4 text-small text-ink-soft">{t("wallet-requests.agreed.none")}</p>
      ) : null}
      <QueryError query={query} />
      {!data && !error ? <SkeletonRows count={2} /> : null}
      <RevokeDialog asked={openedAuthorisation} onClose={() => setOpenedAuthorisation(null)} />
    </Section>
  );
}

function Entry({
  authorisation,
  onRevoke,
}: {
  authorisation: Authorisation;
  onRevoke: () => void;
}) {
  const { formatDate } = useIntl();
  const t = useText();
  const time = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "short" });
  const hiddenText = t("wallet-requests.hidden");
  const text = replacePracticeAddress(
    authorisation.text,
    getCurrentUser()?.address ?? "",
    `(${hiddenText})`,
  );
  const name =
    authorisation.kind === "terms"
      ? t("wallet-requests.accepted", { version: authorisation.version })
      : t("wallet-requests.signIn");
  return (
    <div className="px-4 py-3">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <p>{name}</p>
          <p className="text-small text-ink-faint">{time(authorisation.at_ms)}</p>
          <p className="text-small text-ink-soft [overflow-wrap:anywhere]">
            <Scope authorisation={authorisation} />
          </p>
        </div>
        {authorisation.revoked_at_ms === null ? (
          <Button variant="outline" size="small" className="shrink-0" onClick={onRevoke}>
            {t("wallet-requests.revoke")}
          </Button>
        ) : (
          <p className="max-w-[50%] text-right text-small text-ink-faint">
            {t("wallet-requests.revokedAt", { time: time(authorisation.revoked_at_ms) })}
          </p>
        )}
      </div>
      <details>
        <summary className="min-h-11 content-center text-small text-signal-ink">
          {t("wallet-requests.read")}
        </summary>
        <pre className="rounded-dock bg-well p-3 font-sans text-small [overflow-wrap:anywhere] whitespace-pre-wrap">
          {text}
        </pre>
        <p className="mt-2 flex items-center justify-between text-caption text-ink-faint">
          {t("wallet-requests.textHash")}
          <Hash value={authorisation.text_hash} label={t("wallet-requests.textHash")} />
        </p>
      </details>
    </div>
  );
}

/** The site it was for, and how long it is in force. */
function Scope({ authorisation }: { authorisation: Authorisation }) {
  const t = useText();
  if (authorisation.kind === "terms") {
    return t("wallet-requests.scope.terms", { site: window.location.host });
  }
  const result = parseMessage(authorisation.text);
  const site = result.ok ? result.message.domain : window.location.host;
  return t("wallet-requests.scope.signIn", { site });
}

/** Says what revoking does before it is done. */
function RevokeDialog({ asked, onClose }: { asked: Authorisation | null; onClose: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error, reset } = useApiMutation(revokeAuthorisation);
  const close = () => {
    reset();
    onClose();
  };
  const revoke = async (item: Authorisation) => {
    toast((await send({ authorisation_id: item.authorisation_id })).msg);
    close();
    await queryClient.invalidateQueries({ queryKey: sessionKey });
    await Promise.all([invalidate(listAuthorisations), invalidate(listSessions)]);
  };
  return (
    <Dialog
      open={asked !== null}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      title={t("wallet-requests.revoke.title")}
      actions={
        <>
          <Button variant="quiet" disabled={isBusy} onClick={close}>
            {t("wallet-requests.revoke.keep")}
          </Button>
          <Button
            variant="danger"
            busy={isBusy}
            onClick={() => {
              if (asked) revoke(asked).catch(() => {});
            }}
          >
            {t("wallet-requests.revoke")}
          </Button>
        </>
      }
    >
      {t(
        asked?.kind === "terms" ? "wallet-requests.revoke.terms" : "wallet-requests.revoke.signIn",
      )}
      {error ? <p className="mt-2 text-flare">{errorMessage(error)}</p> : null}
    </Dialog>
  );
}
