/** The screens of later issues: their words, their drawing and where "back" leads. Each entry goes when its screen comes. */
export interface LaterScreen {
  title: string;
  text: string;
  drawing: "spread" | "machine" | "mooring" | "flags" | "specimen";
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
  "/mining": {
    title: "later.mining.title",
    text: "later.mining.text",
    drawing: "machine",
    back: "/home",
  },
  "/mining/intro": {
    title: "later.mining_intro.title",
    text: "later.mining_intro.text",
    drawing: "machine",
    back: "/mining",
  },
  "/mining/mechine-buy": {
    title: "later.mining_buy.title",
    text: "later.mining_buy.text",
    drawing: "machine",
    back: "/mining",
  },
  "/mining/record": {
    title: "later.mining_record.title",
    text: "later.mining_record.text",
    drawing: "machine",
    back: "/mining",
  },
  "/miningrecord": {
    title: "later.payouts.title",
    text: "later.payouts.text",
    drawing: "machine",
    back: "/mining",
  },
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
