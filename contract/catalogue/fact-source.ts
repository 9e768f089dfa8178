import { z } from 'zod/mini'
import {
  getProjectFact,
  PROJECT_FACT_NAMES,
  type PROJECT_FACTS,
  type ProjectFactNamesWith,
  type SourcedProjectFactGroup,
} from './project-facts.ts'

/**
 * Facts read with certainty from announcement documents, for the fact types that the operator has enabled. They fill
 * empty fields and never replace a value (decision 0077).
 */
export const DOCUMENT_FACT_SOURCE = 'egp-document'

/**
 * Source priority per group when sources disagree, highest first. Sources on the same line are equal, and the latest
 * value wins, as for facts without a group. Unlisted sources rank last.
 */
export const PROJECT_FACT_SOURCE_PRIORITIES = {
  // The contract API has the recorded amounts; the open-data files are monthly copies of them; the feed has no amounts.
  price: [['cgd-json'], ['cgd-csv'], ['ocds'], ['egp-rss'], [DOCUMENT_FACT_SOURCE]],
  // The feed has last night's announcements; a contract file shows the stage in the month of its creation.
  stage: [['egp-rss'], ['cgd-json', 'ocds'], ['cgd-csv'], [DOCUMENT_FACT_SOURCE]],
  // Dates get postponed, so the latest feed value wins. A document never replaces a value from a feed.
  deadline: [['cgd-json', 'cgd-csv', 'ocds', 'egp-rss'], [DOCUMENT_FACT_SOURCE]],
  // Contracts name the purchasing unit; the feed only has the agency it was queried for.
  agency: [['cgd-json', 'cgd-csv', 'ocds'], ['egp-rss'], [DOCUMENT_FACT_SOURCE]],
} as const satisfies Readonly<Record<SourcedProjectFactGroup, readonly (readonly string[])[]>>

export type SourcedProjectFact = ProjectFactNamesWith<
  typeof PROJECT_FACTS,
  { readonly sources: SourcedProjectFactGroup }
>
export const SOURCED_PROJECT_FACTS = new Map<SourcedProjectFact, SourcedProjectFactGroup>(
  PROJECT_FACT_NAMES.flatMap((name) => {
    const { sources } = getProjectFact(name)
    return sources ? [[name as SourcedProjectFact, sources] as const] : []
  }),
)

/** Source of a fact, and the time since when the fact has its value (UTC ISO). */
export const projectFactSourceSchema = z.object({
  fact: z.string(),
  source: z.string(),
  seen_at: z.string(),
  page: z.optional(z.number()),
})
export type ProjectFactSource = z.output<typeof projectFactSourceSchema>

const SHORT_NAMES: Readonly<Record<string, string>> = {
  'cgd-json': 'CGD',
  'cgd-csv': 'ไฟล์ของ CGD',
  'egp-rss': 'ประกาศ e-GP',
  ocds: 'OCDS',
  [DOCUMENT_FACT_SOURCE]: 'เอกสาร',
}

/** Returns unknown source codes unchanged, and undefined for demo data, which the page already marks as fictitious. */
export const getDataSourceShortName = (source: string): string | undefined =>
  source === 'sample' ? undefined : Object.hasOwn(SHORT_NAMES, source) ? SHORT_NAMES[source] : source

export function getProjectFactSourceRank(group: SourcedProjectFactGroup, source: string): number {
  const order: readonly (readonly string[])[] = PROJECT_FACT_SOURCE_PRIORITIES[group]
  const rank = order.findIndex((sources) => sources.includes(source))
  return rank === -1 ? order.length : rank
}
