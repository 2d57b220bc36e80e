/*
 * Offers a reload when the first script of a page does not load, throws, or takes more than 120 s;
 * nothing else of ours is running then. A plain separate script, loaded beside the app under a name
 * that no release changes. Later parts of the app have their own offer
 * (web/lib/start/ScreenBoundary.tsx), with the same texts (i18n/app): title, text, button.
 */
const words = {
  en: [
    "This screen couldn’t be loaded",
    "The connection broke, or a newer version was installed. You haven’t lost anything.",
    "Reload",
  ],
  "zh-TW": ["這個頁面無法載入", "連線中斷，或剛安裝了新版本。您沒有遺失任何資料。", "重新載入"],
  cn: ["此页面无法加载", "连接中断，或已安装新版本。您做过的操作不会丢失。", "刷新"],
  fr: [
    "Cet écran n’a pas pu être chargé",
    "La connexion a été coupée ou une nouvelle version est installée. Rien de ce que vous avez fait n’est perdu.",
    "Actualiser",
  ],
  ja: [
    "この画面を読み込めませんでした",
    "通信が途切れたか、新しいバージョンに更新されました。データは失われていません。",
    "再読み込み",
  ],
  it: [
    "Impossibile caricare questa schermata",
    "La connessione è caduta o è stata installata una versione più recente. Non hai perso nulla.",
    "Ricarica la pagina",
  ],
  de: [
    "Diese Seite konnte nicht geladen werden",
    "Die Verbindung ist abgebrochen, oder es wurde eine neuere Version installiert. Nichts ist verloren gegangen.",
    "Neu laden",
  ],
  sv: [
    "Sidan kunde inte laddas",
    "Uppkopplingen bröts, eller så har en nyare version installerats. Du har inte förlorat något.",
    "Läs in igen",
  ],
};
const limitMs = 120_000;

function languageOf() {
  let chosen = null;
  try {
    chosen = localStorage.getItem("language");
  } catch {
    // Storage may be refused.
  }
  if (Object.hasOwn(words, chosen ?? "")) return chosen;
  const [wished = "en"] = navigator.languages;
  if (/^zh/i.test(wished)) return /hant|tw|hk|mo/i.test(wished) ? "zh-TW" : "cn";
  const language = wished.slice(0, 2).toLowerCase();
  return Object.hasOwn(words, language) ? language : "en";
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Shown in the page until the app renders over it, should it still load. */
function offerReload(root) {
  if (document.getElementById("start-failed")) return;
  const language = languageOf();
  const [title, text, reload] = words[language];
  // Styled like ui/Empty.tsx and ui/Button.tsx.
  const offer = element("div", "flex flex-col items-center px-8 py-10 text-center", "");
  offer.id = "start-failed";
  offer.setAttribute("role", "alert");
  offer.lang = language === "cn" ? "zh-CN" : language;
  const button = element(
    "button",
    "mt-5 inline-flex min-h-12 items-center justify-center rounded-dock bg-signal px-5 py-2 text-body font-strong text-on-signal",
    reload,
  );
  button.type = "button";
  button.addEventListener("click", () => location.reload());
  offer.append(
    element("p", "font-strong", title),
    element("p", "mt-1 max-w-80 text-small text-ink-soft", text),
    button,
  );
  root.append(offer);
}

const root = document.getElementById("root");
const entry = document.querySelector('script[type="module"][src]');
if (root && entry) {
  // The app replaces the page's initial content.
  const first = root.firstElementChild;
  const offerUnlessDrawn = () => {
    if (root.firstElementChild === first) offerReload(root);
  };
  setTimeout(offerUnlessDrawn, limitMs);
  // The same module as the page's own tag, so nothing runs twice; this only reports its outcome,
  // even one from before this script ran.
  import(entry.src).catch(offerUnlessDrawn);
}
