import type { PostLanguage } from "#core/publishing/bodies.ts";

/**
 * Phrases of fraudulent platforms (promise 4). Neither interface texts nor published operator texts
 * may contain one; a denial must be worded differently.
 */
export const promisedReturns: Record<PostLanguage, RegExp> = {
  cn: /保本|稳赚|零风险|无风险|保证(?:收益|回报|盈利|获利)|固定收益|日收益|每日回报|年化|躺赚|高回报|必赚|被动收入/,
  de: /garantiert|risikofrei|risikolos|ohne Risiko|sichere[rn]? (?:Gewinn|Rendite|Ertrag)|tägliche[rn]? (?:Rendite|Ertrag|Gewinn)|passives Einkommen|Festzins|Rendite/i,
  en: /guarantee|risk[- ]free|no risk|without risk|(?:daily|fixed|assured|steady) (?:return|profit|yield|income)|passive income|(?<![\p{L}])AP[YR](?![\p{L}])|double your|promised return/iu,
  fr: /garanti|sans (?:aucun )?risque|(?:rendement|gain|profit|revenu)s? (?:quotidien|fixe|assuré|sûr|promis)|revenus? passif/i,
  it: /garanti|senza (?:alcun )?rischi|(?:rendiment|guadagn|profitt|reddit)\w{1,20} (?:giornalier|fiss|sicur|assicurat|passiv|promess)/i,
  ja: /元本保証|保証(?!金)|確実に(?:儲|稼|増)|ノーリスク|リスクなし|リスクゼロ|日利|年利|不労所得|必ず(?:儲|稼|増)|約束された/,
  sv: /garanter|riskfri|utan risk|(?:daglig|fast|säker|utlovad) (?:avkastning|vinst|ränta)|passiv inkomst/i,
  "zh-TW":
    /保本|穩賺|零風險|無風險|保證(?:收益|報酬|獲利|回報)|固定收益|日收益|每日回報|年化|躺賺|高報酬|必賺|被動收入/,
};

/** A coin code without its p, except in a market's name (promise 1). */
export const unprefixedCoin = /(?<![A-Za-z/])(?:USDT|USDC|BTC|ETH)(?![A-Za-z/])/;

/**
 * Phrases that ask for real money (promise 1): to send, transfer or deposit coins or money, an
 * activation or unlocking fee, an account to pay into. Written so that explaining a withdrawal or a
 * practice balance remains possible.
 */
export const paymentWords: Record<PostLanguage, RegExp> = {
  cn: /(?:转账|汇款|打款|付款|充值)(?:到|至|给)|收款(?:地址|账户|账号|码)|银行(?:账号|卡号)|激活费|解冻费|保证金/,
  de: /(?:überweise|einzahle|zahle|sende|schicke)\w{0,20} .{0,40}\b(?:Konto|IBAN|Adresse|Euro|EUR|€)|Bankverbindung|Aktivierungsgebühr|Freischaltgebühr|Kontonummer/i,
  en: /\b(?:send|transfer|deposit|pay|wire)\b .{0,40}\b(?:to (?:this|the following|our|my) (?:address|account|wallet|number)|real money|bank account)|\bbank (?:details|transfer)\b|deposit address|payment address|(?:activation|unlocking|unfreezing) fee|account number/i,
  fr: /(?:envoye|vire|verse|dépose|paye)\w{0,20} .{0,40}\b(?:compte|adresse|IBAN|euros?|€)|coordonnées bancaires|frais d[’']activation|frais de déblocage/i,
  it: /(?:invia|trasferi|versa|deposita|paga)\w{0,20} .{0,40}\b(?:conto|indirizzo|IBAN|euro|€)|coordinate bancarie|bonifico|commissione di (?:attivazione|sblocco)/i,
  ja: /(?:振り?込|送金|入金|支払)[^。]{0,20}(?:口座|アドレス|先)|口座番号|振込先|送金先|有効化手数料|解除手数料/,
  sv: /(?:skicka|överför|sätt in|betala)\w{0,20} .{0,40}\b(?:konto|adress|kronor|SEK|IBAN)|kontonummer|bankgiro|plusgiro|aktiveringsavgift|upplåsningsavgift/i,
  "zh-TW":
    /(?:轉帳|匯款|打款|付款|儲值)(?:到|至|給)|收款(?:地址|帳戶|帳號|碼)|銀行(?:帳號|卡號)|啟用費|解凍費|保證金/,
};
