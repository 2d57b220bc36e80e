import { useSearchParams } from "#ui/router.tsx";
import { NewsList } from "#web/screens/publishing/NewsList.tsx";
import { Post } from "#web/screens/publishing/Post.tsx";

/** `/news-list`: all posts, or with `?post_id=` one in full. */
export default function NewsPage() {
  const [query] = useSearchParams();
  const postId = query.get("post_id");
  return postId === null ? <NewsList /> : <Post key={postId} postId={postId} />;
}
