import { orderHash } from "#core/contracts/order.ts";
import { type Acknowledgement, computeDueAt } from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeVkey } from "#core/transparency-log/checkpoint.ts";
import { createReceiptVectors, createRequestVectors } from "./acknowledgedReceipts.ts";
import { entries, findLeafIndex, orders, rows, world } from "./contractLog.ts";
import { createFalsifiedAcknowledgements } from "./falsifiedAcknowledgements.ts";
import {
  createPromise,
  firstPromise,
  getKept,
  keptAcknowledgement,
  laterOrder,
} from "./keptAcknowledgements.ts";
import { vectorKey, vectorOrigin } from "./log.ts";

export function createAcknowledgementVectors() {
  const [first, , , fourth] = orders as [(typeof orders)[0], unknown, unknown, (typeof orders)[0]];
  const end = entries.length;
  const journal: Acknowledgement = {
    ...firstPromise,
    call: "/api/user/send",
    hash: null,
    due_at_ms: computeDueAt(firstPromise.accepted_at_ms, null, world.market.speed),
  };
  return {
    about:
      "A small log with the hashes that its seconds bind (by leaf), and kept acknowledgements: `bound_leaf` is the leaf that keeps the promise, null where it is open. In `falsified`, `log` replaces `remove` leaves from `at` on by `insert`, and `hashes` what is served for a leaf. `receipts` are compared with the first acknowledgement, or with their own one in `kept`.",
    origin: vectorOrigin,
    vkey: encodeVkey(vectorKey),
    entries: entries.map(bytesToHex),
    hashes: hashesByLeaf(),
    kept: [
      {
        name: "an order, bound by the next second",
        kept: keptAcknowledgement,
        bound_leaf: findLeafIndex(10),
      },
      {
        name: "an order that becomes void is bound all the same",
        kept: getKept(createPromise(fourth.order, findLeafIndex(38))),
        bound_leaf: findLeafIndex(39),
      },
      {
        name: "before the first checkpoint",
        kept: getKept(createPromise(first.order, 0)),
        bound_leaf: findLeafIndex(10),
      },
      {
        name: "an order after the newest second is open",
        kept: getKept(createPromise(laterOrder, end)),
        bound_leaf: null,
      },
      {
        name: "accepted five seconds after it was sent",
        kept: {
          ...keptAcknowledgement,
          sent: { ...keptAcknowledgement.sent, at_ms: firstPromise.accepted_at_ms - 5_000 },
        },
        bound_leaf: findLeafIndex(10),
      },
      {
        name: "accepted before it was sent again",
        kept: {
          ...keptAcknowledgement,
          sent: { ...keptAcknowledgement.sent, at_ms: firstPromise.accepted_at_ms + 60_000 },
        },
        bound_leaf: findLeafIndex(10),
      },
      {
        name: "sent by a client that noted no time",
        kept: { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, at_ms: null } },
        bound_leaf: findLeafIndex(10),
      },
      {
        name: "a call of which nothing is bound is open",
        kept: { ...getKept(journal), sent: { ...keptAcknowledgement.sent, call: journal.call } },
        bound_leaf: null,
      },
    ],
    falsified: createFalsifiedAcknowledgements(),
    receipts: [...createReceiptVectors(), ...createRequestVectors()],
  };
}

function hashesByLeaf(): Record<string, string[]> {
  return Object.fromEntries(
    rows.flatMap((row, leaf) =>
      row && row.orders.length > 0 ? [[leaf, row.orders.map(orderHash)]] : [],
    ),
  );
}
