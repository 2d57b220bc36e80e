import { createAddressBook } from "#server/address-book/addressBook.ts";
import { addressBookRoutes } from "#server/address-book/routes.ts";
import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

export const addressBookModule = defineModule()({
  name: "addressBook",
  needs: [],
  create: (ctx) => {
    const service = createAddressBook(ctx);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => addressBookRoutes(app, service),
      jobs: null,
      personalData: [
        {
          name: "address_book",
          exportFor: async (userId) => ({ json: await service.list(userId) }),
          erase: (userId) => rows.remove(userId, ["address_book"]),
        },
      ],
    };
  },
});
