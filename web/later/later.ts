/** The screens of later issues: their words, their drawing and where "back" leads. Each entry goes when its screen comes. */
export interface LaterScreen {
  title: string;
  text: string;
  drawing: "mooring";
  back?: string;
}

export const laterScreens: Readonly<Record<string, LaterScreen>> = {
  "/share": {
    title: "later.share.title",
    text: "later.share.text",
    drawing: "mooring",
    back: "/uc-team",
  },
  "/uc-team": { title: "later.team.title", text: "later.team.text", drawing: "mooring" },
};
