import { LRUCache } from 'lru-cache'
import { type KeywordStats, noiseLevel } from '#contract/matching/keyword-impact.ts'
import { countWorkingDays } from '#contract/thai/working-day.ts'
import { evaluateProject } from './evaluate.ts'
import { EXCLUDED, exclusionsAsInclusions, IN, OUT, onlyInclusions, type Placement } from './placement.ts'
import type { RecentProjects } from './recent-projects.ts'
import { compileRules, type OrganisationRules } from './rules.ts'
import type { MatchedBy } from './said-words.ts'
import { TimeSlice } from './time-slice.ts'

const SWITCH_OF = {
  name: 'search_by_name',
  ai: 'search_by_ai',
  deptsub: 'search_by_deptsub',
  document: 'search_by_name',
} as const satisfies Record<MatchedBy, keyof KeywordStats['switches']>

export async function statsOf(recent: RecentProjects, { rules, places }: Placement): Promise<KeywordStats> {
  const timeSlice = new TimeSlice()
  const inclusions = compileRules([onlyInclusions(rules)])
  const exclusions = compileRules([exclusionsAsInclusions(rules)])
  const hits = new Map<number, { hits: number; only: number; in_documents: number }>(
    rules.keywords.map(({ id }) => [id, { hits: 0, only: 0, in_documents: 0 }]),
  )
  const switches = {
    search_by_name: { today: 0, days: 0, only: 0 },
    search_by_ai: { today: 0, days: 0, only: 0 },
    search_by_deptsub: { today: 0, days: 0, only: 0 },
  }
  let [inReport, keptOut] = [0, 0]
  for (const [at, project] of recent.projects.entries()) {
    const place = places[at]
    if (place === OUT) continue
    const [verdict] = evaluateProject(place === IN ? inclusions : exclusions, project)
    const found = verdict?.kind === 'match' ? verdict.reasons : []
    const reasons = new Set(found.map(({ keyword }) => keyword))
    for (const { keyword, page } of found) if (page !== undefined) hits.get(keyword)!.in_documents += 1
    for (const keyword of reasons) {
      const own = hits.get(keyword)!
      own.hits += 1
      if (reasons.size === 1) own.only += 1
    }
    if (place === EXCLUDED) keptOut += 1
    else {
      inReport += 1
      const by = verdict?.kind === 'match' ? verdict.matched_by : []
      const bySwitch = new Set(by.map((kind) => SWITCH_OF[kind]))
      for (const name of bySwitch) {
        const own = switches[name]
        own.days += 1
        if (bySwitch.size === 1) own.only += 1
        // First seen in the latest loads: "+n today" counts new projects, not new dates of old ones.
        if (recent.isLatest(project.first_load)) own.today += 1
      }
    }
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  const perWorkingDay = inReport / Math.max(1, countWorkingDays(recent.from, recent.to))
  return {
    days: recent.days,
    data_time: recent.dataTime,
    keywords: [...hits].map(([id, { in_documents, ...counts }]) => ({
      id,
      ...counts,
      ...(in_documents > 0 ? { in_documents } : {}),
    })),
    switches,
    per_working_day: Math.round(perWorkingDay * 10) / 10,
    level: noiseLevel(perWorkingDay),
    hidden: keptOut,
  }
}

const MOST = 200

export function createKnownStats(): (recent: RecentProjects, placement: Placement) => Promise<KeywordStats> {
  const known = new LRUCache<number, { recent: RecentProjects; key: string; stats: Promise<KeywordStats> }>({
    max: MOST,
  })
  return async (recent, placement) => {
    const { rules } = placement
    const key = rulesKey(rules)
    const last = known.get(rules.id)
    if (last?.recent === recent && last.key === key) return last.stats
    const stats = statsOf(recent, placement)
    known.set(rules.id, { recent, key, stats })
    stats.catch(() => known.delete(rules.id))
    return stats
  }
}

const rulesKey = (rules: OrganisationRules) => JSON.stringify(rules)
