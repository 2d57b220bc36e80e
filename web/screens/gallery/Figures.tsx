import { useState } from "react";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Change } from "#ui/figures/Change.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { Sparkline } from "#ui/figures/Sparkline.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import ResultEnding from "#web/features/result/ResultEnding.tsx";

const risingValues = ["3", "4", "3.5", "5", "4.5", "6", "5.8", "7"];
const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const getSteadyNow = () => performance.now();

export function Figures() {
  const [price, setPrice] = useState(23145.1);
  const [untilMs] = useState(() => performance.now() + 75_000);
  return (
    <Section title="Figures">
      <Row label="Amount" value={<Amount value="10000" coin="pUSDT" />} />
      <Row
        label="Signed, aligned"
        value={<Amount value="-101.5" coin="pUSDT" signed toned alignDigits={6} />}
      />
      <Row
        label=""
        value={<Amount value="89.123456" coin="pUSDT" signed toned alignDigits={6} />}
      />
      <Row label="Another coin" value={<Amount value={3548646n} coin="pBTC" />} />
      <Row
        label={
          <Button
            variant="quiet"
            size="small"
            onClick={() => setPrice(price + (Math.random() > 0.5 ? 1 : -1))}
          >
            Move the price
          </Button>
        }
        value={<PriceText value={price.toFixed(2)} scale={2} tint />}
      />
      <Row label="Price in a gap" value={<PriceText value={null} scale={2} />} />
      <Endings />
      <Row label="Change" value={<Change bp={125} />} valueHint={<Change bp={-1234} />} />
      <Row label="No change" value={<Change bp={0} />} valueHint={<Change bp={null} />} />
      <Row label="Sparkline" value={<Sparkline values={risingValues} />} />
      <Row
        label="Toned, filled"
        value={
          <Sparkline
            values={[...risingValues].reverse()}
            width={140}
            height={36}
            toned
            filled
            label="Falling"
          />
        }
      />
      <Row
        label="Badges"
        value={
          <span className="flex flex-wrap justify-end gap-1">
            <Badge>Pending</Badge>
            <Badge tone="warning">Closing</Badge>
            <Badge tone="rise">Won</Badge>
            <Badge tone="fall">Lost</Badge>
          </span>
        }
      />
      <Row label="Countdown" value={<Countdown untilMs={untilMs} now={getSteadyNow} />} />
      <Row label="Hash" value={<Hash value={hash} label="Order hash" />} />
      <div className="p-4">
        <Progress value={62} label="Samples" text="62 of 100" />
      </div>
      <Row
        label="A row that opens"
        hint="With a hint"
        value="Value"
        valueHint="Its hint"
        to="/dev/gallery"
      />
    </Section>
  );
}

const endings = [
  ["won", "Won", "89"],
  ["lost", "Lost", "-101"],
  ["tie", "Tie", "0"],
] as const;

/** The endings of an order; pressed, they play again. */
function Endings() {
  const [turn, setTurn] = useState(0);
  return (
    <>
      {endings.map(([outcome, title, net]) => (
        <div key={`${outcome} ${turn}`} className="px-4 py-3">
          <ResultEnding outcome={outcome} title={title} net={net} coin="pUSDT" isNew />
        </div>
      ))}
      <Row label="Play the endings again" onClick={() => setTurn(turn + 1)} />
    </>
  );
}
