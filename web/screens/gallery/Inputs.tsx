import { IconStar } from "@tabler/icons-react";
import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Stepper } from "#ui/form/Stepper.tsx";
import { Switch } from "#ui/form/Switch.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Section } from "#ui/Section.tsx";
import { Tabs } from "#ui/Tabs.tsx";

type Tab = "waiting" | "closing" | "over";

export function Inputs() {
  const [amount, setAmount] = useState("100");
  const [text, setText] = useState("");
  const [count, setCount] = useState(3);
  const [on, setOn] = useState(true);
  const [tab, setTab] = useState<Tab>("waiting");
  return (
    <>
      <Section title="Buttons" kind="plain">
        <div className="flex flex-wrap gap-2">
          <Button>Place order</Button>
          <Button busy>Placing</Button>
          <Button disabled>Not now</Button>
          <Button variant="outline">Cancel</Button>
          <Button variant="quiet">Details</Button>
          <Button variant="rise">Up</Button>
          <Button variant="fall">Down</Button>
          <Button variant="danger">Exclude me</Button>
          <Button size="small">Small</Button>
          <IconButton label="Follow" pressed={on} onClick={() => setOn(!on)}>
            <IconStar size={20} aria-hidden="true" />
          </IconButton>
        </div>
      </Section>
      <Section title="Fields" kind="plain">
        <div className="flex flex-col gap-5">
          <Field label="Stake" aside="Balance 9 899" hint="10 to 1 000 pUSDT">
            <AmountInput
              value={amount}
              onChange={setAmount}
              coin="pUSDT"
              chips={["10", "100", "500"].map((value) => ({ label: value, value }))}
            />
          </Field>
          <Field label="Stake" error="The stake is above 1 000 pUSDT. Enter less.">
            <AmountInput value="2500" onChange={() => undefined} coin="pUSDT" />
          </Field>
          <Field label="Name" hint="Up to 30 characters">
            <TextInput value={text} onChange={setText} placeholder="Harbour" />
          </Field>
          <div className="flex items-center gap-4">
            <Stepper
              label="Machines"
              onStep={(step) => setCount(count + step)}
              canDecrease={count > 1}
              canIncrease={count < 9}
            >
              {count}
            </Stepper>
            <Switch label="Hide balances" checked={on} onChange={setOn} />
            <Chip selected={on} onClick={() => setOn(!on)}>
              Chip
            </Chip>
          </div>
        </div>
      </Section>
      <Section title="Tabs" kind="plain">
        <Tabs
          label="Orders"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: "waiting", label: "Waiting" },
            { value: "closing", label: "Closing" },
            { value: "over", label: "Over" },
          ]}
        >
          <p className="p-4 text-small text-ink-soft">Panel of {tab}. Swipe it sideways.</p>
        </Tabs>
      </Section>
    </>
  );
}
