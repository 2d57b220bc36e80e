import { useState } from "react";
import { useIntl } from "react-intl";
import type { WorldView } from "#api/operator/worlds.ts";
import { exportWorld, getWorlds, removeWorld, setWorldState } from "#api/routes/operator/worlds.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface WorldSheetProps {
  world: WorldView | null;
  mayChange: boolean;
  onClose: () => void;
}

/** One world, and what its owner can do with it. Stays rendered while the sheet closes. */
export function WorldSheet({ world, mayChange, onClose }: WorldSheetProps) {
  const [lastWorld, setLastWorld] = useState(world);
  if (world && world !== lastWorld) setLastWorld(world);
  return (
    <Sheet
      open={world !== null}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={lastWorld?.name ?? ""}
    >
      {lastWorld ? (
        <>
          <Facts world={lastWorld} />
          {mayChange ? <Acts key={lastWorld.name} world={lastWorld} onClose={onClose} /> : null}
        </>
      ) : null}
    </Sheet>
  );
}

function Facts({ world }: { world: WorldView }) {
  const { formatDate } = useIntl();
  const t = useText();
  const date = (atMs: number) => formatDate(atMs, { dateStyle: "medium", timeStyle: "short" });
  return (
    <div className="-mx-4">
      <Row label={t("worlds.code")} value={<span className="font-mono">{world.code}</span>} />
      <Row
        label={t("worlds.address")}
        hint={
          <a href={world.address} className="break-all text-signal-ink underline">
            {world.address}
          </a>
        }
      />
      <Row label={t("worlds.made")} value={date(world.made_at_ms)} />
      {world.slept_at_ms === null ? null : (
        <Row label={t("worlds.slept")} value={date(world.slept_at_ms)} />
      )}
      {world.remove_after_ms === null ? null : (
        <Row label={t("worlds.removal")} value={date(world.remove_after_ms)} />
      )}
    </div>
  );
}

function Acts({ world, onClose }: { world: WorldView; onClose: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const state = useOperatorMutation(setWorldState);
  const removal = useOperatorMutation(removeWorld);
  const { name } = world;
  const error = state.error ?? removal.error;
  const busy = state.isBusy || removal.isBusy;
  const finish = (message: string) => {
    toast(t(message));
    void invalidate(getWorlds);
    onClose();
  };
  const change = async (next: WorldView["state"]) => {
    await state.send({ name, state: next });
    finish("worlds.done.asked");
  };
  const remove = async () => {
    const { data } = await removal.send({ name });
    finish(data.what === "remove" ? "worlds.done.remove" : "worlds.done.notice");
  };
  const act = (label: string, next: WorldView["state"]) => (
    <Button
      block
      variant="outline"
      disabled={busy}
      onClick={() => void change(next).catch(() => undefined)}
    >
      {t(label)}
    </Button>
  );
  return (
    <div className="flex flex-col gap-3 pt-4">
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <a
        href={`${exportWorld.path}?name=${name}`}
        download
        className="inline-flex min-h-11 items-center text-signal-ink underline"
      >
        {t("worlds.export.do")}
      </a>
      {world.main ? null : (
        <>
          {world.state === "awake" ? null : act("worlds.wake.do", "awake")}
          {world.state === "awake" ? (
            <>
              {act("worlds.sleep.do", "asleep")}
              <p className="text-small text-ink-soft">{t("worlds.sleep.note")}</p>
            </>
          ) : null}
          {world.state === "archived" ? null : (
            <>
              {act("worlds.archive.do", "archived")}
              <p className="text-small text-ink-soft">{t("worlds.archive.note")}</p>
            </>
          )}
          <p className="border-t border-line pt-4 text-small text-ink-soft">
            {t("worlds.remove.sure")}
          </p>
          <Button
            block
            variant="danger"
            disabled={busy}
            onClick={() => void remove().catch(() => undefined)}
          >
            {t("worlds.remove.do")}
          </Button>
        </>
      )}
    </div>
  );
}
