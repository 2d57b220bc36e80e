import { IconCopy, IconShare } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useIntl } from "react-intl";
import { getReceiveAddress } from "#api/routes/send.ts";
import { writeAddressUri } from "#core/addresses/addressUri.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal, parseDecimal } from "#core/money/decimal.ts";
import { getSendMin } from "#core/send/send.ts";
import { listNetworks, type Network } from "#core/wallet/networks.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copy.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { QrCode } from "#ui/QrCode.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { saveFile } from "#web/lib/saveFile.ts";
import { drawQrImage } from "./qrCode.ts";

/**
 * The person's practice address for a coin: as a QR code, which may ask for an amount, in groups,
 * to copy and to share.
 */
export default function ReceiveView({ coin }: { coin: Coin }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const networks = listNetworks(coin);
  const [network, setNetwork] = useState<Network>(networks[0]!);
  const [typed, setTyped] = useState("");
  const answer = useApiQuery(getReceiveAddress, { coin, network });
  return (
    <div className="flex flex-col gap-4 px-4 pb-6">
      {networks.length > 1 ? (
        <div className="flex flex-col gap-1.5">
          <span className="text-small font-strong">{t("send.network")}</span>
          <Segmented
            label={t("send.network")}
            value={network}
            onChange={setNetwork}
            options={networks.map((formatAmount) => ({ value: formatAmount, label: formatAmount }))}
          />
        </div>
      ) : null}
      {answer.data ? (
        <Address
          coin={coin}
          network={network}
          address={answer.data.address}
          amount={findAmount(typed, coin)}
        >
          <AskedAmount coin={coin} typed={typed} onChange={setTyped} />
        </Address>
      ) : answer.error ? (
        <ErrorNote onRetry={() => void answer.refetch()}>{errorMessage(answer.error)}</ErrorNote>
      ) : (
        <SkeletonRows count={5} />
      )}
      <p className="border-l-2 border-warning pl-3 text-small text-ink-soft">
        {t("send.receive.network", { coin, network })}
      </p>
      <p className="text-small text-ink-soft">{t("send.receive.practice")}</p>
    </div>
  );
}

/** An amount that Send accepts, in the wire's form; null for anything else. */
function findAmount(typed: string, coin: Coin): string | null {
  const text = settleAmountText(typed);
  const result = parseDecimal(text, coinScale(coin));
  return result.ok && result.value >= getSendMin(coin) ? text : null;
}

interface AskedAmountProps {
  coin: Coin;
  typed: string;
  onChange: (typed: string) => void;
}

function AskedAmount({ coin, typed, onChange }: AskedAmountProps) {
  const t = useText();
  const { locale } = useIntl();
  const amount = findAmount(typed, coin);
  const formatAmount = (value: string) => `${formatNumber(value, locale)} ${coin}`;
  const minimum = formatAmount(formatDecimal(getSendMin(coin), coinScale(coin)));
  return (
    <Field
      label={t("send.receive.amount")}
      hint={
        amount === null
          ? t("send.receive.amount.hint")
          : t("send.receive.amount.asked", { amount: formatAmount(amount) })
      }
      error={
        typed !== "" && amount === null ? t("send.receive.amount.tooSmall", { minimum }) : undefined
      }
    >
      <AmountInput value={typed} coin={coin} onChange={onChange} />
    </Field>
  );
}

interface AddressProps {
  coin: Coin;
  network: string;
  address: string;
  /** The amount that the code asks for; null for none. */
  amount: string | null;
  /** Below the code. */
  children: ReactNode;
}

function Address({ coin, network, address, amount, children }: AddressProps) {
  const t = useText();
  const { locale } = useIntl();
  const uri = writeAddressUri(address, coin, amount);
  const coinAmount = amount === null ? coin : `${formatNumber(amount, locale)} ${coin}`;
  const copy = async () => {
    toast(t((await copyText(address)) ? "send.copied" : "send.copyFailed"));
  };
  const share = async () => {
    const practice = t("send.receive.mark");
    const image = await drawQrImage(uri, { practice, coinAmount, network, address });
    if (!image) {
      toast(t("send.shareFailed"));
      return;
    }
    const file = new File([image], `practice-${coin}-${network}.png`, { type: "image/png" });
    const shared = { files: [file], text: `${practice} · ${coinAmount} · ${address}` };
    if (!navigator.canShare?.(shared)) return saveFile(file.name, file, file.type);
    try {
      await navigator.share(shared);
    } catch (error) {
      // Dismissing the system's share sheet is not an error.
      if (!(error instanceof DOMException && error.name === "AbortError"))
        saveFile(file.name, file, file.type);
    }
  };
  return (
    <>
      <QrCode
        text={uri}
        label={
          amount === null
            ? t("send.receive.qr", { coin, network })
            : t("send.receive.qr.amount", { amount: coinAmount, network })
        }
        className="mx-auto w-64 border border-line"
      />
      {children}
      <div>
        <p className="text-small text-ink-soft">{t("send.receive.address", { coin })}</p>
        <p className="sr-only">{address}</p>
        <p aria-hidden="true" className="mt-1 flex flex-wrap gap-x-2 font-mono text-body">
          {getGroups(address).map(({ key, text }) => (
            <span key={key}>{text}</span>
          ))}
        </p>
      </div>
      <div className="flex flex-col gap-3">
        <Button block icon={<IconCopy size={18} aria-hidden="true" />} onClick={() => void copy()}>
          {t("send.copy")}
        </Button>
        <Button
          block
          variant="outline"
          icon={<IconShare size={18} aria-hidden="true" />}
          onClick={() => void share()}
        >
          {t("send.share")}
        </Button>
      </div>
    </>
  );
}

/** The prefix with its separator, then groups of four. */
function getGroups(address: string): { key: number; text: string }[] {
  const prefixLength = address.indexOf("1") + 1;
  const data = address.slice(prefixLength).match(/.{1,4}/g) ?? [];
  return [address.slice(0, prefixLength), ...data].map((text, key) => ({ key, text }));
}
