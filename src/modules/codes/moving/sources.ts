/**
 * What the exports of other services call things. Names are compared without case, spaces and punctuation, so `Short link`,
 * `short_link` and `shortLink` are the same. A name in an object has that of the object in front.
 *
 * | Source | Understood |
 * |---|---|
 * | bitly | JSON of `GET /v4/groups/{guid}/bitlinks` (API v4), also several pages as a list; CSV with these columns or those of the export of links |
 * | dub | CSV of "Export links" (Short link, Destination URL, Clicks, Created at, Tags, Archived …); JSON of `GET /links`; 2024 and later |
 * | shlink | CSV of "Export" in shlink-web-client 3 and 4; JSON of `GET /rest/v3/short-urls`, as of Shlink 3.4 also with visits without bots |
 * | kutt | JSON of `GET /api/v2/links` (Kutt 2 and 3); CSV of its table `links` |
 * | yourls | CSV of the table `yourls_url` (YOURLS 1.7 and later); JSON of the API's `stats`, or of the plugin for Shlink's importer |
 * | csv | any other service: the columns of our documentation |
 */
export interface Source {
  /** The whole address: with or without protocol. */
  link: string[]
  /** Parts of it, if there is no whole one. */
  domain: string[]
  slug: string[]
  target: string[]
  name: string[]
  description: string[]
  tags: string[]
  scans: string[]
  createdAt: string[]
  archived: string[]
  disabled: string[]
  expiresAt: string[]
  startsAt: string[]
  visitsMax: string[]
  /** Whether it has more destinations. */
  hasRules: string[]
  password: string[]
  /** More addresses of the same link. */
  alsoAt: string[]
}

const NOTHING: Source = {
  link: [],
  domain: ['domain'],
  slug: [],
  target: [],
  name: ['title'],
  description: ['description'],
  tags: ['tags'],
  scans: [],
  createdAt: [],
  archived: ['archived'],
  disabled: [],
  expiresAt: [],
  startsAt: [],
  visitsMax: [],
  hasRules: [],
  password: ['password'],
  alsoAt: [],
}

export const SOURCES = {
  bitly: {
    ...NOTHING,
    link: ['link', 'bitlink', 'shortlink', 'shorturl', 'id'],
    target: ['longurl', 'destinationurl', 'destination', 'longlink'],
    scans: ['totalengagements', 'engagements', 'totalclicks', 'clicks'],
    createdAt: ['createdat', 'datecreated', 'createddate', 'created'],
    alsoAt: ['custombitlinks'],
  },
  dub: {
    ...NOTHING,
    link: ['shortlink', 'link'],
    slug: ['key'],
    target: ['destinationurl', 'url'],
    // The title of a link in Dub is that of the page it leads to. What people wrote themselves are comments.
    name: ['comments', 'title'],
    scans: ['clicks'],
    createdAt: ['createdat'],
    expiresAt: ['expiresat'],
  },
  shlink: {
    ...NOTHING,
    link: ['shorturl'],
    slug: ['shortcode'],
    target: ['longurl'],
    // Those of people come first, because we do not count bots.
    scans: ['visits', 'visitssummarynonbots', 'visitssummarytotal', 'visitscount'],
    createdAt: ['createdat', 'datecreated'],
    expiresAt: ['metavaliduntil'],
    startsAt: ['metavalidsince'],
    visitsMax: ['metamaxvisits'],
    hasRules: ['hasredirectrules'],
  },
  kutt: {
    ...NOTHING,
    link: ['link'],
    slug: ['address'],
    target: ['target'],
    name: ['description'],
    description: [],
    scans: ['visitcount'],
    createdAt: ['createdat'],
    disabled: ['banned'],
    expiresAt: ['expirein'],
  },
  yourls: {
    ...NOTHING,
    link: ['shorturl'],
    slug: ['keyword'],
    target: ['url'],
    scans: ['clicks'],
    createdAt: ['timestamp'],
  },
  csv: {
    ...NOTHING,
    link: ['shorturl', 'shortlink', 'link'],
    slug: ['slug', 'publicslug', 'key'],
    target: ['url', 'destination', 'destinationurl', 'longurl', 'target'],
    name: ['name', 'title'],
    scans: ['scans', 'totalscans', 'clicks', 'visits'],
    createdAt: ['createdat', 'created'],
  },
} satisfies Record<string, Source>

export type SourceName = keyof typeof SOURCES
export const SOURCE_NAMES = Object.keys(SOURCES) as SourceName[]

/**
 * The columns of a file with daily counts, of any service: one row for each day, or for each scan if there is no count.
 * So the click log of YOURLS (`yourls_log`), the exported events of Dub and the engagements of Bitly are understood.
 */
export const HISTORY = {
  link: ['shortlink', 'bitlink', 'shorturl', 'link'],
  /** Bitly's is an address. Others number their rows. */
  id: ['id'],
  slug: ['keyword', 'slug', 'shortcode', 'key'],
  domain: ['domain'],
  day: ['date', 'day', 'clicktime', 'timestamp', 'time', 'clickedat'],
  scans: ['scans', 'clicks', 'engagements', 'visits', 'count'],
}
