import { useState } from "react";
import type { AnswerOf } from "#api/call.ts";
import { getConfig } from "#api/routes/meta.ts";
import { getSettings, setChatLink } from "#api/routes/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

type ChatLinkSetting = AnswerOf<typeof getSettings>["chat_link"];
type ChatLinkSource = "link" | "none" | "environment";

/** The page that online service opens for people who have no link. */
export function ChatLink({ setting, mayChange }: { setting: ChatLinkSetting; mayChange: boolean }) {
  const t = useText();
  return (
    <Section title={t("instance.chatLink")} note={t("instance.chatLinkNote")}>
      <Row
        label={t("instance.chatLinkNow")}
        hint={<span className="break-all">{setting.link ?? t("instance.chatLinkNone")}</span>}
        value={t(setting.set ? "instance.setHere" : "instance.fromEnvironment")}
      />
      {mayChange ? <Change setting={setting} /> : null}
    </Section>
  );
}

function toSource({ set, link }: ChatLinkSetting): ChatLinkSource {
  if (!set) return "environment";
  return link === null ? "none" : "link";
}

function Change({ setting: known }: { setting: ChatLinkSetting }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useOperatorMutation(setChatLink);
  // The state when last viewed: a change by another operator in the meantime makes the call fail,
  // and is shown before it can be overwritten.
  const [seenSetting, setSeenSetting] = useState(known);
  const [use, setUse] = useState<ChatLinkSource>(toSource(known));
  const [link, setLink] = useState(known.link ?? "");
  const isNewer = known.revision !== seenSetting.revision;
  const trimmedLink = link.trim();
  const isUnchanged = use === toSource(known) && (use !== "link" || trimmedLink === known.link);
  const save = async () => {
    const setting = {
      use,
      link: use === "link" ? trimmedLink : null,
      revision: seenSetting.revision,
    };
    const { data } = await send(setting);
    const nowLink = use === "link" ? trimmedLink : use === "none" ? null : known.fallback;
    setSeenSetting({
      ...known,
      link: nowLink,
      set: use !== "environment",
      revision: data.revision,
    });
    toast(t("instance.saved"));
    await Promise.all([invalidate(getSettings), invalidate(getConfig)]);
  };
  return (
    <div className="p-4">
      <div className="flex max-w-120 flex-col gap-3">
        <Segmented
          label={t("instance.chatLink")}
          value={use}
          onChange={setUse}
          options={(["environment", "link", "none"] as const).map((value) => ({
            value,
            label: t(`instance.chatLinkUse.${value}`),
          }))}
        />
        {use === "link" ? (
          <Field label={t("instance.chatLinkUrl")} hint={t("instance.chatLinkHint")}>
            <TextInput
              type="url"
              inputMode="url"
              value={link}
              onChange={setLink}
              maxLength={300}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        ) : null}
        {isNewer && !isBusy ? (
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-dock bg-warning-wash px-3 py-2 text-small text-warning">
            <p className="min-w-0 break-words">
              {t("instance.changedMeanwhile", {
                link: known.link ?? t("instance.chatLinkNone"),
              })}
            </p>
            <Button variant="outline" size="small" onClick={() => setSeenSetting(known)}>
              {t("instance.seen")}
            </Button>
          </div>
        ) : null}
        {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
        <Button
          busy={isBusy}
          disabled={isUnchanged || (use === "link" && trimmedLink === "")}
          onClick={() => void save().catch(() => void invalidate(getSettings))}
        >
          {t("instance.save")}
        </Button>
      </div>
    </div>
  );
}
