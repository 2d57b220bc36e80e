import type { Locale } from "#core/locales.ts";
import { listCountries } from "#i18n/locales.ts";

/** A gambling helpline, under its own name. */
export interface Helpline {
  country: string;
  name: string;
  /** The number as dialled within the country, without the country code. */
  phone?: string;
  url?: string;
}

/** Helplines by country; docs/sources.md says how each was checked. */
export const helplines: readonly Helpline[] = [
  {
    country: "US",
    name: "National Council on Problem Gambling",
    url: "https://www.ncpgambling.org/",
  },
  {
    country: "GB",
    name: "National Gambling Helpline (GamCare)",
    phone: "0808 8020 133",
    url: "https://www.gamcare.org.uk/",
  },
  {
    country: "CA",
    name: "ConnexOntario",
    phone: "1-866-531-2600",
    url: "https://www.connexontario.ca/",
  },
  {
    country: "AU",
    name: "Gambling Help Online",
    phone: "1800 858 858",
    url: "https://www.gamblinghelponline.org.au/",
  },
  { country: "TW", name: "衛生福利部 安心專線", phone: "1925" },
  { country: "CN", name: "全国统一心理援助热线", phone: "12356" },
  {
    country: "FR",
    name: "Joueurs Info Service",
    phone: "09 74 75 13 13",
    url: "https://www.joueurs-info-service.fr/",
  },
  { country: "JP", name: "依存症対策全国センター", url: "https://www.ncasa-japan.jp/" },
  { country: "IT", name: "Telefono Verde Nazionale Gioco d’Azzardo (ISS)", phone: "800 558 822" },
  {
    country: "DE",
    name: "Check dein Spiel",
    phone: "0800 1372700",
    url: "https://www.check-dein-spiel.de/",
  },
  {
    country: "AT",
    name: "Spielsuchthilfe",
    phone: "01 544 13 57",
    url: "https://www.spielsuchthilfe.at/",
  },
  {
    country: "CH",
    name: "SOS Spielsucht · SOS Jeu · SOS Gioco",
    phone: "0800 040 080",
    url: "https://www.sos-spielsucht.ch/",
  },
  { country: "SE", name: "Stödlinjen", phone: "020-81 91 00", url: "https://www.stodlinjen.se/" },
  { country: "FI", name: "Peluuri", phone: "0800 100 101", url: "https://www.peluuri.fi/" },
];

/** Returns all of `places`, those of the reader's language first, in the order of that language. */
export function sortByDistance<Place extends { country: string }>(
  places: readonly Place[],
  locale: Locale,
): { near: Place[]; far: Place[] } {
  const order = listCountries[locale];
  const nearbyHelplines = order.flatMap((country) =>
    places.filter((helpline) => helpline.country === country),
  );
  return { near: nearbyHelplines, far: places.filter(({ country }) => !order.includes(country)) };
}
