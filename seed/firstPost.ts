import type { NewsBody } from "#core/publishing/bodies.ts";

/**
 * The first post of every world, written by the software and said to be: what an instance is, and how anyone checks what it says.
 * It names nothing that differs from one instance to the next.
 */
export function firstPost(): NewsBody {
  return { languages };
}

const languages: NewsBody["languages"] = {
  en: {
    title: "What this place is, and how to check it",
    summary: "Practice money, real workings, and every figure open to a second look.",
    body: `The software wrote this post when this world was made. Everything later is written by the people who run this instance.

## What it is

Drydock is a place to use the products that get pitched everywhere, with practice money: a coin wallet, hosting, mining machines, up/down contracts. You start with 10,000 pUSDT. The **p** stands for practice. Coins with a p cannot be bought, sold, redeemed or won, and nothing here can send anything to a real blockchain.

Nobody here will ever ask you for money, for a seed phrase or for a photo of a real document. Whoever does is not part of this software.

## What it shows

Costs stand before each button, losses are drawn as large as gains. Most people who trade up/down contracts lose, and you will see here how and why. What happens here does not carry over to real markets.

## How to check it

- Every order, payout and balance has a receipt. [Check one in your browser](/verify).
- Prices go into a public log before anyone can use them. An order is bound into it before its price exists.
- The same check exists as a program of its own, which you can run without this page.

One thing no check can show: that whoever has the machine changed the software itself. That is what outside witnesses of the log are for, and the page says how many there are.

Read [the promises](/help?view=promises) and, if somebody sent you a link to a platform like this one, [how dishonest copies give themselves away](/help?view=red-flags).`,
  },
  de: {
    title: "Was das hier ist und wie man es nachprüft",
    summary: "Übungsgeld, echte Abläufe, und jede Zahl lässt sich nachrechnen.",
    body: `Diesen Beitrag hat die Software geschrieben, als diese Welt angelegt wurde. Alles Spätere schreiben die Menschen, die diese Instanz betreiben.

## Was es ist

In Drydock benutzen Sie mit Übungsgeld die Produkte, die überall angepriesen werden: eine Wallet, Hosting, Mining-Maschinen, Auf/Ab-Kontrakte. Sie beginnen mit 10.000 pUSDT. Das **p** steht für Übung (practice). Münzen mit p lassen sich nicht kaufen, verkaufen, einlösen oder gewinnen, und nichts hier kann etwas an eine echte Blockchain senden.

Niemand hier wird Sie je um Geld, um eine Seed-Phrase oder um das Foto eines echten Ausweises bitten. Wer das tut, gehört nicht zu dieser Software.

## Was es zeigt

Die Kosten stehen vor jedem Knopf, Verluste sind so groß gezeichnet wie Gewinne. Die meisten verlieren mit Auf/Ab-Kontrakten; hier sehen Sie, wie und warum. Was hier geschieht, lässt sich nicht auf echte Märkte übertragen.

## Wie man es nachprüft

- Zu jedem Auftrag, jeder Auszahlung und jedem Guthaben gibt es einen Beleg. [Prüfen Sie einen im Browser](/verify).
- Kurse stehen in einem öffentlichen Log, bevor jemand sie verwenden kann. Ein Auftrag wird darin festgehalten, bevor es seinen Kurs gibt.
- Dieselbe Prüfung gibt es als eigenes Programm, das ohne diese Seite läuft.

Eines kann keine Prüfung zeigen: ob jemand, der die Maschine hat, die Software selbst verändert hat. Dafür gibt es außenstehende Zeugen des Logs; die Seite sagt, wie viele es sind.

Lesen Sie [die Versprechen](/help?view=promises) und, falls Ihnen jemand einen Link zu einer solchen Plattform geschickt hat, [woran man unehrliche Kopien erkennt](/help?view=red-flags).`,
  },
  fr: {
    title: "Ce qu’est cet endroit, et comment le vérifier",
    summary:
      "De l’argent d’entraînement, des mécanismes réels, et chaque chiffre peut être recalculé.",
    body: `Ce message a été écrit par le logiciel à la création de ce monde. Tout ce qui suit est écrit par les personnes qui exploitent cette instance.

## Ce que c’est

Drydock permet d’utiliser, avec de l’argent d’entraînement, les produits que l’on vante partout : un portefeuille, l’hébergement, des machines de minage, des contrats hausse/baisse. Vous commencez avec 10 000 pUSDT. Le **p** veut dire entraînement (practice). Les monnaies marquées d’un p ne s’achètent pas, ne se vendent pas, ne s’échangent pas contre de l’argent et ne se gagnent pas ; rien ici ne peut envoyer quoi que ce soit sur une vraie blockchain.

Personne ici ne vous demandera jamais d’argent, de phrase secrète ni la photo d’un vrai document. Qui le fait n’a rien à voir avec ce logiciel.

## Ce que cela montre

Les coûts figurent avant chaque bouton, et les pertes sont dessinées aussi grandes que les gains. La plupart des gens perdent avec les contrats hausse/baisse ; vous verrez ici comment et pourquoi. Ce qui se passe ici ne dit rien des marchés réels.

## Comment le vérifier

- Chaque ordre, chaque versement et chaque solde a un reçu. [Vérifiez-en un dans votre navigateur](/verify).
- Les cours entrent dans un journal public avant que quiconque puisse s’en servir. Un ordre y est inscrit avant que son cours n’existe.
- La même vérification existe comme programme à part, qui tourne sans cette page.

Une chose qu’aucune vérification ne montre : que la personne qui a la machine a modifié le logiciel lui-même. C’est à cela que servent les témoins extérieurs du journal ; la page dit combien ils sont.

Lisez [les promesses](/help?view=promises) et, si quelqu’un vous a envoyé un lien vers une plateforme de ce genre, [à quoi se trahissent les copies malhonnêtes](/help?view=red-flags).`,
  },
  it: {
    title: "Che cos’è questo posto e come verificarlo",
    summary: "Denaro di esercizio, meccanismi veri, e ogni cifra si può ricalcolare.",
    body: `Questo messaggio l’ha scritto il software quando è stato creato questo mondo. Tutto ciò che segue lo scrivono le persone che gestiscono questa istanza.

## Che cos’è

In Drydock si usano, con denaro di esercizio, i prodotti proposti ovunque: un portafoglio, l’hosting, le macchine per il mining, i contratti su/giù. Si comincia con 10.000 pUSDT. La **p** sta per esercizio (practice). Le monete con la p non si comprano, non si vendono, non si riscattano e non si vincono, e nulla qui può inviare qualcosa a una vera blockchain.

Nessuno qui ti chiederà mai denaro, una frase segreta o la foto di un documento vero. Chi lo fa non ha nulla a che vedere con questo software.

## Che cosa mostra

I costi stanno prima di ogni pulsante e le perdite sono disegnate grandi quanto i guadagni. La maggior parte delle persone perde con i contratti su/giù: qui vedrai come e perché. Ciò che accade qui non vale per i mercati veri.

## Come verificarlo

- Ogni ordine, ogni pagamento e ogni saldo ha una ricevuta. [Verificane una nel browser](/verify).
- I prezzi entrano in un registro pubblico prima che qualcuno possa usarli. Un ordine vi è legato prima che il suo prezzo esista.
- La stessa verifica esiste come programma a sé, che funziona senza questa pagina.

Una cosa nessuna verifica può mostrarla: che chi ha la macchina abbia modificato il software stesso. A questo servono i testimoni esterni del registro; la pagina dice quanti sono.

Leggi [le promesse](/help?view=promises) e, se qualcuno ti ha mandato un link a una piattaforma come questa, [da che cosa si riconoscono le copie disoneste](/help?view=red-flags).`,
  },
  sv: {
    title: "Vad det här är, och hur du kontrollerar det",
    summary: "Övningspengar, verkliga mekanismer, och varje siffra går att räkna om.",
    body: `Programvaran skrev det här inlägget när den här världen skapades. Allt senare skrivs av dem som driver instansen.

## Vad det är

I Drydock använder du med övningspengar de produkter som bjuds ut överallt: en plånbok, hosting, gruvmaskiner och upp/ner-kontrakt. Du börjar med 10 000 pUSDT. **p** står för övning (practice). Mynt med p går inte att köpa, sälja, lösa in eller vinna, och inget här kan skicka något till en riktig blockkedja.

Ingen här kommer någonsin att be dig om pengar, en återställningsfras eller ett foto av en riktig handling. Den som gör det hör inte till den här programvaran.

## Vad det visar

Kostnaderna står före varje knapp, och förluster ritas lika stora som vinster. De flesta förlorar på upp/ner-kontrakt; här ser du hur och varför. Det som händer här säger inget om riktiga marknader.

## Hur du kontrollerar det

- Varje order, utbetalning och saldo har ett kvitto. [Kontrollera ett i webbläsaren](/verify).
- Priserna skrivs i en öppen logg innan någon kan använda dem. En order binds i den innan dess pris finns.
- Samma kontroll finns som ett eget program, som går att köra utan den här sidan.

En sak kan ingen kontroll visa: att den som har maskinen har ändrat själva programvaran. Det är vad utomstående vittnen till loggen är till för, och sidan säger hur många de är.

Läs [löftena](/help?view=promises) och, om någon har skickat dig en länk till en plattform som den här, [hur ohederliga kopior avslöjar sig](/help?view=red-flags).`,
  },
  ja: {
    title: "ここは何か、どう確かめるか",
    summary: "使うのは練習用のお金。仕組みは本物で、どの数字も検算できます。",
    body: `この記事は、この世界が作られたときにソフトウェアが書きました。以後の記事は、このサイトの運営者が書きます。

## ここは何か

Drydock は、あちこちで勧められる商品を練習用のお金で使ってみる場所です。ウォレット、ホスティング、マイニングマシン、上げ下げのコントラクトがあります。最初に 10,000 pUSDT を持っています。**p** は練習（practice）の印です。p の付くコインは、買うことも、売ることも、換金することも、勝ち取ることもできません。ここから本物のブロックチェーンへ何かを送ることもできません。

お金、シードフレーズ、本物の身分証の写真を求めることは決してありません。求めてくる人は、このソフトウェアとは無関係です。

## 何が見えるか

費用はボタンの前に示され、損失は利益と同じ大きさで描かれます。上げ下げのコントラクトでは多くの人が負けます。ここではその過程と理由が見えます。ここでの結果は、本物の市場には当てはまりません。

## どう確かめるか

- すべての注文、支払い、残高に受領書があります。[ブラウザーで確かめる](/verify)
- 価格は、誰かが使えるようになる前に公開の記録に書かれます。注文は、その価格が生まれる前に記録に結び付けられます。
- 同じ確認をする独立したプログラムもあり、このページなしで動かせます。

どの確認でも分からないことが一つあります。機械を持つ人がソフトウェアそのものを書き換えたかどうかです。そのために記録の外部証人がいます。何人いるかはページに示されます。

[約束](/help?view=promises)をお読みください。誰かからこのようなサイトへのリンクを受け取ったときは、[不正な模倣サイトの見分け方](/help?view=red-flags)もご覧ください。`,
  },
  cn: {
    title: "这里是什么，如何核对",
    summary: "用的是练习金，机制是真的，每个数字都可以重算。",
    body: `这篇文章是这个世界建立时由软件写下的。之后的文章由运行本站的人撰写。

## 这里是什么

在 Drydock，您可以用练习金试用到处被推销的产品：钱包、托管、矿机和涨跌合约。起始余额为 10,000 pUSDT。**p** 表示练习（practice）。带 p 的币不能买、不能卖、不能兑现，也不能赢取；这里没有任何东西能向真实的区块链发送任何资产。

这里绝不会有人向您要钱、要助记词，或要真实证件的照片。提出这种要求的人与本软件无关。

## 这里展示什么

费用写在每个按钮之前，亏损与盈利画得一样大。多数人在涨跌合约上亏钱，在这里您会看到过程和原因。这里的结果不代表真实市场。

## 如何核对

- 每笔订单、每次派发和每个余额都有凭据。[在浏览器里核对一份](/verify)。
- 价格先写入公开日志，之后才有人能使用。订单在其价格产生之前就已写入日志。
- 同样的核对还有一个独立程序，不依赖本页面即可运行。

有一件事任何核对都无法证明：掌握这台机器的人是否改动了软件本身。这正是日志外部见证者的作用，页面会写明有几位。

请阅读[承诺](/help?view=promises)。如果有人给您发过类似平台的链接，请看[不诚实的仿冒平台如何露出马脚](/help?view=red-flags)。`,
  },
  "zh-TW": {
    title: "這裡是什麼，如何核對",
    summary: "用的是練習金，機制是真的，每個數字都可以重算。",
    body: `這篇文章是這個世界建立時由軟體寫下的。之後的文章由營運本站的人撰寫。

## 這裡是什麼

在 Drydock，您可以用練習金試用到處被推銷的產品：錢包、託管、礦機和漲跌合約。起始餘額為 10,000 pUSDT。**p** 表示練習（practice）。帶 p 的幣不能買、不能賣、不能兌現，也不能贏取；這裡沒有任何東西能向真實的區塊鏈送出任何資產。

這裡絕不會有人向您要錢、要助記詞，或要真實證件的照片。提出這種要求的人與本軟體無關。

## 這裡展示什麼

費用寫在每個按鈕之前，虧損與獲利畫得一樣大。多數人在漲跌合約上虧錢，在這裡您會看到過程和原因。這裡的結果不代表真實市場。

## 如何核對

- 每筆訂單、每次派發和每個餘額都有憑據。[在瀏覽器裡核對一份](/verify)。
- 價格先寫入公開日誌，之後才有人能使用。訂單在其價格產生之前就已寫入日誌。
- 同樣的核對還有一個獨立程式，不依賴本頁面即可執行。

有一件事任何核對都無法證明：掌握這台機器的人是否改動了軟體本身。這正是日誌外部見證者的作用，頁面會寫明有幾位。

請閱讀[承諾](/help?view=promises)。如果有人傳過類似平台的連結給您，請看[不誠實的仿冒平台如何露出馬腳](/help?view=red-flags)。`,
  },
};
