/** The screens of later issues: their words, their drawing and where "back" leads. Each entry goes when its screen comes. */
export interface LaterScreen {
  title: string;
  text: string;
  drawing: "spread" | "mooring" | "flags" | "specimen";
  back?: string;
}

export const laterScreens: Readonly<Record<string, LaterScreen>> = {
  "/ai": { title: "later.ai.title", text: "later.ai.text", drawing: "spread", back: "/home" },
  "/ai/intro": {
    title: "later.ai_intro.title",
    text: "later.ai_intro.text",
    drawing: "spread",
    back: "/ai",
  },
  "/ai/product": {
    title: "later.ai_product.title",
    text: "later.ai_product.text",
    drawing: "spread",
    back: "/ai",
  },
  "/ai/record": {
    title: "later.ai_record.title",
    text: "later.ai_record.text",
    drawing: "spread",
    back: "/ai",
  },
  "/robot-run-page": { title: "later.robot.title", text: "later.robot.text", drawing: "spread" },
  "/share": {
    title: "later.share.title",
    text: "later.share.text",
    drawing: "mooring",
    back: "/uc-team",
  },
  "/uc-team": { title: "later.team.title", text: "later.team.text", drawing: "mooring" },
  "/news-list": {
    title: "later.news.title",
    text: "later.news.text",
    drawing: "flags",
    back: "/home",
  },
  "/real_name": {
    title: "later.real_name.title",
    text: "later.real_name.text",
    drawing: "specimen",
    back: "/ucenter",
  },
};
