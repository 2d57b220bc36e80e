import {
  addAddress,
  ensureOutsideAddress,
  getAddressBook,
  removeAddress,
  renameAddress,
} from "#api/withdraw.ts";
import { bookMax } from "#core/withdraw/addressBook.ts";
import type { AddressBook } from "#server/address-book/addressBook.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

export function addressBookRoutes(app: App, book: AddressBook): void {
  route(app, getAddressBook, async (_input, { session }) => ({
    items: await book.list(session.userId),
    maximum: bookMax,
  }));
  route(app, addAddress, (input, { session }) => book.add(session.userId, input));
  route(app, ensureOutsideAddress, (input, { session }) =>
    book.ensureOutside(session.userId, input),
  );
  route(app, renameAddress, ({ entry_id: id, name }, { session }) =>
    book.rename(session.userId, id, name),
  );
  route(app, removeAddress, async ({ entry_id: id }, { session }) => {
    await book.remove(session.userId, id);
    return {};
  });
}
