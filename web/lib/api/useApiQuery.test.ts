import { afterEach, expect, test } from "vitest";
import { getNews } from "#api/routes/publishing.ts";
import { queryClient } from "#web/lib/api/client.ts";
import { getQueryKey, replaceAnswer } from "#web/lib/api/useApiQuery.ts";

afterEach(() => queryClient.clear());

type Answer = Parameters<typeof replaceAnswer<typeof getNews>>[2];
const answer = (title: string) => ({ title }) as Answer;

test("a query that began before an update does not overwrite it", async () => {
  const key = getQueryKey(getNews, { post_id: "a" });
  const slowAnswer = Promise.withResolvers<Answer>();
  const reading = queryClient.fetchQuery({ queryKey: key, queryFn: () => slowAnswer.promise });
  reading.catch(() => undefined);
  await replaceAnswer(getNews, { post_id: "a" }, answer("after"));
  slowAnswer.resolve(answer("before"));
  await reading.catch(() => undefined);
  await slowAnswer.promise;
  expect(queryClient.getQueryData(key)).toEqual(answer("after"));
});
