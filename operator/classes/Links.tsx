import { useState } from "react";
import { useIntl } from "react-intl";
import type { ClassLinkView } from "#api/operator/classes.ts";
import { closeClassLink, getClass } from "#api/routes/operator/classes.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { getClassLink } from "#operator/classes/classLink.ts";
import { LinkTicket } from "#operator/classes/LinkTicket.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { copyText } from "#ui/copy.ts";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Dialog } from "#ui/overlay/Dialog.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Link } from "#ui/router.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * Class links, newest first: how many joined and how many of them finished the first lesson, but
 * never who.
 */
export function Links({ links, nowMs }: { links: readonly ClassLinkView[]; nowMs: number }) {
  const t = useText();
  const [closing, setClosing] = useState<ClassLinkView | null>(null);
  if (links.length === 0) {
    return <Empty title={t("classes.links.none")}>{t("classes.links.none.text")}</Empty>;
  }
  return (
    <>
      {links.map((item) => (
        <LinkRow key={item.class_id} link={item} nowMs={nowMs} onClose={() => setClosing(item)} />
      ))}
      <CloseDialog link={closing} onDone={() => setClosing(null)} />
    </>
  );
}

function LinkRow({
  link,
  nowMs,
  onClose,
}: {
  link: ClassLinkView;
  nowMs: number;
  onClose: () => void;
}) {
  const { formatDate } = useIntl();
  const t = useText();
  const mayClose = useMayChange("class.links");
  const [isShown, setIsShown] = useState(false);
  const title = link.label ?? t("classes.link.made");
  const open = link.closed_at_ms === null && link.expires_at_ms > nowMs;
  const copy = async () => {
    toast(t((await copyText(getClassLink(link.code))) ? "ui.copy.done" : "ui.copy.failed"));
  };
  return (
    <div className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <p className="min-w-0 font-strong break-words">{link.label ?? t("classes.link.erased")}</p>
        <Badge tone={open ? "neutral" : "warning"}>
          {t(
            open
              ? "classes.link.open"
              : link.closed_at_ms === null
                ? "classes.link.over"
                : "classes.link.closed",
          )}
        </Badge>
      </div>
      <p className="text-small text-ink-soft">
        {t("classes.link.counts", {
          joined: link.joined,
          limit: link.limit,
          finished: link.finished,
        })}
      </p>
      <p className="text-small text-ink-faint">
        {t("classes.link.until", {
          time: formatDate(link.expires_at_ms, { dateStyle: "medium", timeStyle: "short" }),
        })}{" "}
        · <span className="font-mono">{link.code}</span>
      </p>
      {open ? (
        <div className="flex flex-wrap gap-2">
          <Link
            to={`/operator/class?room=${link.class_id}`}
            className={buttonClass({ size: "small" })}
          >
            {t("classes.codes.open")}
          </Link>
          <Button size="small" variant="outline" onClick={() => void copy()}>
            {t("classes.link.copy")}
          </Button>
          <Button size="small" variant="outline" onClick={() => setIsShown(true)}>
            {t("classes.link.show")}
          </Button>
          <Sheet open={isShown} onOpenChange={setIsShown} title={title}>
            <LinkTicket code={link.code} />
          </Sheet>
          {mayClose ? (
            <Button size="small" variant="quiet" onClick={onClose}>
              {t("classes.link.close")}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function CloseDialog({ link, onDone }: { link: ClassLinkView | null; onDone: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error, reset } = useOperatorMutation(closeClassLink);
  const leave = () => {
    reset();
    onDone();
  };
  const close = async () => {
    if (!link) return;
    await send({ class_id: link.class_id });
    await invalidate(getClass);
    leave();
  };
  return (
    <Dialog
      open={link !== null}
      onOpenChange={(next) => {
        if (!next) leave();
      }}
      title={t("classes.link.close.title")}
      actions={
        <>
          <Button variant="quiet" onClick={leave}>
            {t("ui.back")}
          </Button>
          <Button
            variant="danger"
            busy={isBusy}
            onClick={() => void close().catch(() => undefined)}
          >
            {t("classes.link.close")}
          </Button>
        </>
      }
    >
      {t("classes.link.close.text")}
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
    </Dialog>
  );
}
