import { startQuery } from '#src/api/http/query-client.ts'
import { flatSearchOf, type SearchLocation } from '#src/lib/search-text.ts'
import { exclusionLedgerQuery, keywordStatsQuery, matchExplanationQuery } from '#src/matching/api/keyword-impact.ts'
import { lessonQuery } from '#src/matching/api/lessons.ts'
import { readWatchAddress } from './watch-address.ts'

export function startWatch(location: SearchLocation): void {
  const { tab, ledger, project, lesson } = readWatchAddress(flatSearchOf(location))
  startQuery(keywordStatsQuery)
  if (tab === 'rules' && lesson !== undefined) startQuery(lessonQuery(lesson))
  if (tab === 'hidden') startQuery(exclusionLedgerQuery(ledger))
  if (tab === 'why' && project !== undefined) startQuery(matchExplanationQuery(project))
}
