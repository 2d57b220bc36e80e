import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { ApiError } from "#api/client.ts";
import { listSessions, revokeAllSessions, revokeSession } from "#api/routes/session.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/overlay/Dialog.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { leaveSession } from "#web/features/session/sessionCache.ts";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

type Sessions = AnswerOf<typeof listSessions>;
type OpenSession = Sessions["items"][number];
type EndedSession = Sessions["ended"][number];

/** This user's open sessions, each of which can be ended. */
export function OpenSessions() {
  const t = useText();
  const query = useApiQuery(listSessions, {});
  const { data, error } = query;
  return (
    <Section title={t("wallet-requests.sessions.title")} note={t("wallet-requests.sessions.note")}>
      {data?.items.map((item) => (
        <Line key={item.session_id} openSession={item} />
      ))}
      <QueryError query={query} />
      {!data && !error ? <SkeletonRows count={1} /> : null}
      {data ? <EndAll others={data.items.some(({ current }) => !current)} /> : null}
      {data && data.ended.length > 0 ? <EndedSessions sessions={data.ended} /> : null}
    </Section>
  );
}

/** Those that ended within a day, and why: an end that no one asked for shows here. */
function EndedSessions({ sessions }: { sessions: readonly EndedSession[] }) {
  const { formatDate } = useIntl();
  const t = useText();
  const formatTime = (atMs: number) =>
    formatDate(atMs, { dateStyle: "medium", timeStyle: "short" });
  return (
    <>
      <h3 className="px-4 pt-3 text-small text-ink-soft">{t("wallet-requests.sessions.ended")}</h3>
      {sessions.map((session) => (
        <Row
          key={session.session_id}
          label={session.client || t("wallet-requests.session.unknown")}
          hint={t(`wallet-requests.session.ended.${session.why}`, {
            time: formatTime(session.ended_at_ms),
          })}
        />
      ))}
    </>
  );
}

function Line({ openSession }: { openSession: OpenSession }) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send } = useApiMutation(revokeSession);
  const [isBusy, setIsBusy] = useState(false);
  const time = formatDate(openSession.last_seen_at_ms, { dateStyle: "medium", timeStyle: "short" });
  const client = openSession.client || t("wallet-requests.session.unknown");
  const end = async () => {
    setIsBusy(true);
    try {
      toast((await send({ session_id: openSession.session_id })).msg);
      if (openSession.current) leaveSession();
      else await invalidate(listSessions);
    } catch (error) {
      toast(errorMessage(error));
      if (error instanceof ApiError && error.error === "session.unknown") {
        await invalidate(listSessions);
      }
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Row
      label={
        <span className="flex flex-wrap items-center gap-2">
          {client}
          {openSession.current ? <Badge>{t("wallet-requests.current")}</Badge> : null}
        </span>
      }
      hint={
        openSession.current
          ? t("wallet-requests.session.ofNow")
          : t("wallet-requests.session.seen", { time })
      }
      value={
        <Button variant="outline" size="small" busy={isBusy} onClick={() => void end()}>
          {t("wallet-requests.session.end")}
        </Button>
      }
    />
  );
}

/** Ends all other sessions together, or this one too after asking. */
function EndAll({ others: hasOthers }: { others: boolean }) {
  const t = useText();
  const { send, isBusy, error, reset } = useApiMutation(revokeAllSessions);
  const errorMessage = useErrorMessage();
  const [isAsking, setIsAsking] = useState(false);
  const end = async (scope: "others" | "all") => {
    toast((await send({ which: scope })).msg);
    setIsAsking(false);
    if (scope === "all") leaveSession();
    else await invalidate(listSessions);
  };
  const close = () => {
    reset();
    setIsAsking(false);
  };
  return (
    <div className="flex flex-wrap justify-end gap-2 px-4 py-3">
      {hasOthers ? (
        <Button
          variant="outline"
          size="small"
          busy={isBusy && !isAsking}
          onClick={() => void end("others").catch((error) => toast(errorMessage(error)))}
        >
          {t("wallet-requests.sessions.endOthers")}
        </Button>
      ) : null}
      <Button variant="outline" size="small" onClick={() => setIsAsking(true)}>
        {t("wallet-requests.sessions.endAll")}
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={(next) => {
          if (!next) close();
        }}
        title={t("wallet-requests.sessions.endAll.title")}
        actions={
          <>
            <Button variant="quiet" disabled={isBusy} onClick={close}>
              {t("wallet-requests.revoke.keep")}
            </Button>
            <Button variant="danger" busy={isBusy} onClick={() => void end("all").catch(() => {})}>
              {t("wallet-requests.sessions.endAll")}
            </Button>
          </>
        }
      >
        {t("wallet-requests.sessions.endAll.text")}
        {error ? <p className="mt-2 text-flare">{errorMessage(error)}</p> : null}
      </Dialog>
    </div>
  );
}
