import { z } from 'zod/mini'

/** What documents of announcements state surely, of kinds that an operator has switched on. It fills what is empty and replaces nothing (decision 0077). */
export const DOCUMENT_SOURCE = 'egp-document'

/**
 * Which source is believed where two disagree: the first of a line before the next. Sources of one line are equal, and the later word counts, as it
 * does for facts of no group. A source that stands nowhere is believed last.
 */
export const SOURCE_ORDER = {
  // The contract API has the money as it was booked; the open files are copies of it, made monthly; the feed knows none.
  price: [['cgd-json'], ['cgd-csv'], ['ocds'], ['egp-rss'], [DOCUMENT_SOURCE]],
  // The feed is the announcement itself, of last night; a contract file tells the stage of the month in which it was made.
  stage: [['egp-rss'], ['cgd-json', 'ocds'], ['cgd-csv'], [DOCUMENT_SOURCE]],
  // Among the sources of the feed the later word counts: a day is moved. A reading of ours replaces none.
  deadline: [['cgd-json', 'cgd-csv', 'ocds', 'egp-rss'], [DOCUMENT_SOURCE]],
  // Contracts name the purchasing unit; the feed knows only which agency was asked for.
  agency: [['cgd-json', 'cgd-csv', 'ocds'], ['egp-rss'], [DOCUMENT_SOURCE]],
} as const satisfies Readonly<Record<string, readonly (readonly string[])[]>>
export type FactGroup = keyof typeof SOURCE_ORDER

/** The facts whose source is kept, by their names in a report row. */
export const SOURCED_FACTS = {
  budget: 'price',
  estimate_budget: 'price',
  winner_budget: 'price',
  status: 'stage',
  draft_published_date: 'stage',
  bidding_invite_date: 'stage',
  winner_announce_date: 'stage',
  draft_discussion_end_date: 'deadline',
  submission_end_date: 'deadline',
  dept_sub_name: 'agency',
} as const satisfies Readonly<Record<string, FactGroup>>
export type SourcedFact = keyof typeof SOURCED_FACTS
export const SOURCED_FACT_NAMES = Object.keys(SOURCED_FACTS) as SourcedFact[]

/** Where a fact comes from and since when it is known so, UTC ISO. */
export const factSourceSchema = z.object({
  fact: z.string(),
  source: z.string(),
  seen_at: z.string(),
  /** Of the document that states it, from 1. */
  page: z.optional(z.number()),
})
export type FactSource = z.output<typeof factSourceSchema>

/** Names of the sources as a colleague says them, for a line below a fact. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'cgd-json': 'CGD',
  'cgd-csv': 'ไฟล์ของ CGD',
  'egp-rss': 'ประกาศ e-GP',
  ocds: 'OCDS',
  [DOCUMENT_SOURCE]: 'เอกสาร',
}

/** One that is not known is shown as received; undefined for the sample, of which the page says as a whole that it is invented. */
export const shortSourceName = (source: string): string | undefined =>
  source === 'sample' ? undefined : Object.hasOwn(SHORT_NAMES, source) ? SHORT_NAMES[source] : source

/** Place of a source in its group, 0 the most believed. */
export function placeOf(group: FactGroup, source: string): number {
  const order: readonly (readonly string[])[] = SOURCE_ORDER[group]
  const place = order.findIndex((line) => line.includes(source))
  return place === -1 ? order.length : place
}
