import { IconPencil } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { ApiError } from "#api/client.ts";
import type { RechargeRules } from "#api/recharge.ts";
import { getRechargeList, recharge } from "#api/routes/recharge.ts";
import { useText } from "#i18n/useText.ts";
import { ActionBar } from "#ui/ActionBar.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { PicturePicker } from "#web/features/picture/PicturePicker.tsx";
import { UploadProgress } from "#web/features/picture/UploadProgress.tsx";
import { useUpload } from "#web/features/picture/useUpload.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import type { FormState } from "./useForm.ts";

export interface RechargeFormProps {
  rules: RechargeRules;
  form: FormState;
  onDraw: () => void;
  onSent: (rechargeId: string) => void;
}

type MissingField = "amount" | "picture" | "voucher";

/** Network, amount and picture, and the notes shown before they are sent. */
export function RechargeForm({ rules, form, onDraw, onSent }: RechargeFormProps) {
  const t = useText();
  const [missingField, setMissingField] = useState<MissingField | null>(null);
  const amountBox = useRef<HTMLDivElement>(null);
  const { submit, upload, failure, forget } = useSubmit(form, onSent);
  const complain = (field: MissingField) => {
    setMissingField(field);
    toast(t(`recharge.missing.${field}`));
    if (field === "amount") amountBox.current?.querySelector("input")?.focus();
  };
  const send = () => {
    if (/^[0.]*$/.test(form.amount)) return complain("amount");
    if (!form.picture) return complain("picture");
    setMissingField(null);
    void submit();
  };
  const take = async (file: Blob) => {
    // Earlier messages are not about this picture.
    forget();
    if (await form.acceptFile(file)) setMissingField(null);
    else complain("voucher");
  };
  return (
    <Section kind="plain" className="mt-4!">
      <div className="flex flex-col gap-5">
        <div className="rounded-dock border border-line bg-leaf p-4">
          <h2 className="font-strong">{t("recharge.workshop.offer")}</h2>
          <p className="mt-1 mb-3 text-small text-ink-soft">{t("recharge.workshop.about")}</p>
          <Button
            variant="outline"
            icon={<IconPencil size={18} aria-hidden="true" />}
            onClick={onDraw}
          >
            {t("recharge.workshop.open")}
          </Button>
        </div>
        <NetworkField form={form} />
        <Field
          label={t("recharge.amount")}
          aside={
            <>
              {t("recharge.leftToday")} <Amount value={rules.day_left} coin="pUSDT" />
            </>
          }
          error={missingField === "amount" ? t("recharge.missing.amount") : undefined}
        >
          <div ref={amountBox}>
            <AmountInput value={form.amount} onChange={form.setAmount} coin={form.coin} />
          </div>
        </Field>
        <PicturePicker
          words={{
            title: t("recharge.picture"),
            about: t("recharge.pictureAbout"),
            preview: t("recharge.preview"),
            choose: t("recharge.choose"),
            chooseOther: t("recharge.chooseOther"),
            camera: t("recharge.camera"),
          }}
          url={form.picture?.url ?? null}
          onPick={(file) => void take(file)}
          error={
            missingField === "voucher" || (missingField === "picture" && !form.picture)
              ? t(`recharge.missing.${missingField}`)
              : null
          }
        />
        <p className="text-small text-ink-soft">{t("recharge.before")}</p>
        {failure ? <ErrorNote>{failure}</ErrorNote> : null}
        {upload.progress === null ? (
          <ActionBar className="-mx-4">
            <Button block onClick={send}>
              {t("recharge.send")}
            </Button>
          </ActionBar>
        ) : (
          <UploadProgress
            percent={upload.progress}
            text={t(upload.progress < 100 ? "recharge.sending" : "recharge.reading", {
              percent: upload.progress,
            })}
            label={t("recharge.progress")}
            cancelLabel={t("recharge.stop")}
            onCancel={upload.stop}
          />
        )}
      </div>
    </Section>
  );
}

function NetworkField({ form }: { form: FormState }) {
  const t = useText();
  const name = (network: string) => t(`recharge.network.${network}`);
  const label = t("recharge.network");
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-small font-strong">{label}</span>
      {form.networks.length > 1 ? (
        <Segmented
          label={label}
          value={form.network}
          onChange={form.setNetwork}
          options={form.networks.map((network) => ({ value: network, label: network }))}
        />
      ) : (
        <span>{name(form.network)}</span>
      )}
      <p className="text-caption text-ink-faint">
        {form.networks.length > 1 ? `${name(form.network)}. ` : null}
        {t("recharge.networkWarning")}
      </p>
    </div>
  );
}

function useSubmit(form: FormState, onSent: (rechargeId: string) => void) {
  const errorMessage = useErrorMessage();
  const { signIn } = useSession();
  const upload = useUpload(recharge);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async () => {
    const { coin, network, picture } = form;
    if (!picture) return;
    setFailure(null);
    try {
      const amount = settleAmountText(form.amount);
      const uploaded = await upload.send({ coin, network, amount }, picture);
      if (!uploaded) return;
      onSent(uploaded.recharge_id);
      await invalidate(getRechargeList);
    } catch (error) {
      setFailure(errorMessage(error));
      if (error instanceof ApiError && error.error === "session.required") signIn();
    }
  };
  return { submit, upload, failure, forget: () => setFailure(null) };
}
