import { startQuery } from '#src/api/http/query-client.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { keywordStatsQuery, ledgerQuery, whyQuery } from '#src/matching/api/keyword-impact.ts'
import { lessonQuery } from '#src/matching/api/lessons.ts'
import { readWatchAddress } from './watch-address.ts'

export function startWatch(place: SearchPlace): void {
  const { tab, ledger, project, lesson } = readWatchAddress(searchAt(place))
  startQuery(keywordStatsQuery)
  if (tab === 'rules' && lesson !== undefined) startQuery(lessonQuery(lesson))
  if (tab === 'hidden') startQuery(ledgerQuery(ledger))
  if (tab === 'why' && project !== undefined) startQuery(whyQuery(project))
}
