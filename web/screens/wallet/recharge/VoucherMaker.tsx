import { useEffect, useRef, useState } from "react";
import type { RechargeRules, Voucher } from "#api/recharge.ts";
import { drawVoucher as drawCall, getVoucherList } from "#api/routes/recharge.ts";
import type { Coin } from "#core/money/coins.ts";
import { type VoucherKind, voucherKinds } from "#core/recharge/voucher.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { drawImage } from "#web/features/picture/specimenDrawing.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { saveFile } from "#web/lib/saveFile.ts";
import { useVoucherTexts } from "./useVoucherTexts.ts";
import { drawVoucher } from "./voucherImage.ts";

export interface VoucherMakerProps {
  coin: Coin;
  rules: RechargeRules;
  /** Called with the picture and the form values that match it. */
  onUse: (picture: Blob, asked: { network: string; amount: string }) => void;
  onClose: () => void;
}

/** Draws specimen vouchers: choose what is wrong with one, view it, save it or use it. */
export default function VoucherMaker({ coin, rules, onUse, onClose }: VoucherMakerProps) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const coinRules = rules.coins.find((item) => item.coin === coin);
  const networks = coinRules?.networks ?? [];
  const [network, setNetwork] = useState(networks[0] ?? "");
  const [amount, setAmount] = useState(coinRules?.amounts[0]?.amount ?? "");
  const [kind, setKind] = useState<VoucherKind>("good");
  const [voucher, setVoucher] = useState<Voucher | null>(null);
  const draw = useApiMutation(drawCall);
  const make = async () => {
    try {
      const { data } = await draw.send({ coin, network, amount, kind });
      setVoucher(data);
      await invalidate(getVoucherList);
    } catch {
      // The error is shown below.
    }
  };
  if (voucher) {
    return (
      <Drawn
        voucher={voucher}
        onUse={(picture) => onUse(picture, { network, amount })}
        onBack={() => setVoucher(null)}
        onClose={onClose}
      />
    );
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t("recharge.workshop.title")}
      description={t("recharge.workshop.description")}
      actions={
        <Button block busy={draw.isBusy} onClick={() => void make()}>
          {t("recharge.workshop.draw")}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        {networks.length > 1 ? (
          <div className="flex flex-col gap-1.5">
            <span className="text-small font-strong">{t("recharge.network")}</span>
            <Segmented
              label={t("recharge.network")}
              value={network}
              onChange={setNetwork}
              options={networks.map((name) => ({ value: name, label: name }))}
            />
          </div>
        ) : null}
        <fieldset>
          <legend className="pb-1.5 text-small font-strong">{t("recharge.amount")}</legend>
          <div className="flex flex-wrap gap-2">
            {coinRules?.amounts.map((item) => (
              <Chip
                key={item.amount}
                selected={item.amount === amount}
                onClick={() => setAmount(item.amount)}
              >
                <Amount value={item.amount} coin={coin} />
              </Chip>
            ))}
          </div>
        </fieldset>
        <Kinds value={kind} onChange={setKind} />
        {draw.error ? <ErrorNote>{errorMessage(draw.error)}</ErrorNote> : null}
      </div>
    </Sheet>
  );
}

function Kinds({ value, onChange }: { value: VoucherKind; onChange: (kind: VoucherKind) => void }) {
  const t = useText();
  return (
    <fieldset className="hairlines -mx-4 border-b border-line">
      <legend className="px-4 pb-2 text-small font-strong">{t("recharge.workshop.kind")}</legend>
      {voucherKinds.map((kind) => (
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- text is two spans deep
        <label
          key={kind}
          className="flex min-h-14 items-center gap-3 px-4 py-2.5 has-checked:bg-leaf has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-signal-ink"
        >
          <input
            type="radio"
            name="voucher-kind"
            checked={kind === value}
            onChange={() => onChange(kind)}
            className="size-5 shrink-0 outline-none"
          />
          <span className="flex min-w-0 flex-col">
            <span>{t(`recharge.kind.${kind}`)}</span>
            <span className="text-small text-ink-faint">{t(`recharge.kindAbout.${kind}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface DrawnProps {
  voucher: Voucher;
  onUse: (picture: Blob) => void;
  onBack: () => void;
  onClose: () => void;
}

/** The sheet as its recipient will see it. */
function Drawn({ voucher, onUse, onBack, onClose }: DrawnProps) {
  const t = useText();
  const words = useVoucherTexts(voucher);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isUnmounted = false;
    // The font has usually loaded by now; drawn earlier, the sheet would use a fallback font.
    void document.fonts.ready.then(() => {
      if (!isUnmounted && canvas.current) drawVoucher(canvas.current, voucher, words);
    });
    return () => {
      isUnmounted = true;
    };
  }, [voucher, words]);
  const image = async (act: (picture: Blob) => void, type: "image/png" | "image/jpeg") => {
    try {
      if (canvas.current) act(await drawImage(canvas.current, type));
    } catch {
      toast(t("recharge.workshop.notMade"));
    }
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t(`recharge.kind.${voucher.kind}`)}
      description={t(`recharge.kindAbout.${voucher.kind}`)}
      actions={
        <>
          <Button block onClick={() => void image(onUse, "image/png")}>
            {t("recharge.workshop.use")}
          </Button>
          <div className="grid grid-cols-2 gap-2">
            <Button
              variant="outline"
              size="small"
              onClick={() => void image((blob) => save(blob, voucher, "png"), "image/png")}
            >
              {t("recharge.workshop.save", { type: "PNG" })}
            </Button>
            <Button
              variant="outline"
              size="small"
              onClick={() => void image((blob) => save(blob, voucher, "jpg"), "image/jpeg")}
            >
              {t("recharge.workshop.save", { type: "JPEG" })}
            </Button>
          </div>
          <Button block variant="quiet" size="small" onClick={onBack}>
            {t("recharge.workshop.another")}
          </Button>
        </>
      }
    >
      <canvas
        ref={canvas}
        width={720}
        height={1_120}
        role="img" // oxlint-disable-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded
        aria-label={t("recharge.workshop.sheet", { amount: voucher.amount, coin: voucher.coin })}
        className="mx-auto block h-auto w-full max-w-80 rounded-[6px]"
      />
    </Sheet>
  );
}

function save(picture: Blob, { coin, amount }: Voucher, extension: string): void {
  saveFile(`drydock-specimen-${amount}-${coin}.${extension}`, picture, picture.type);
}
