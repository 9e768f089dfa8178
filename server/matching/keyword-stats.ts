import { LRUCache } from 'lru-cache'
import { getKeywordNoiseLevel, type KeywordStats } from '#contract/matching/keyword-impact.ts'
import { countWorkingDays } from '#contract/thai/working-day.ts'
import { compileMatchRules, type OrganisationMatchRules } from './compile-match-rules.ts'
import { evaluateProjectMatch } from './evaluate-project.ts'
import type { MatchSource } from './match-summary.ts'
import type { RecentProjects } from './recent-projects.ts'
import {
  convertExclusionKeywordsToInclusions,
  type ProjectRuleOutcomes,
  RULE_OUTCOME_EXCLUDED,
  RULE_OUTCOME_MATCHED,
  RULE_OUTCOME_NOT_MATCHED,
  removeExclusionKeywords,
} from './rule-placement.ts'
import { TimeSlicer } from './time-slicer.ts'

const SWITCH_OF = {
  name: 'search_by_name',
  ai: 'search_by_ai',
  deptsub: 'search_by_deptsub',
  document: 'search_by_name',
} as const satisfies Record<MatchSource, keyof KeywordStats['switches']>

async function computeKeywordStats(
  recent: RecentProjects,
  { rules, states }: ProjectRuleOutcomes,
): Promise<KeywordStats> {
  const timeSlice = new TimeSlicer()
  const inclusions = compileMatchRules([removeExclusionKeywords(rules)])
  const exclusions = compileMatchRules([convertExclusionKeywordsToInclusions(rules)])
  const hits = new Map<number, { hits: number; only: number; in_documents: number }>(
    rules.keywords.map(({ id }) => [id, { hits: 0, only: 0, in_documents: 0 }]),
  )
  const switches = {
    search_by_name: { today: 0, days: 0, only: 0 },
    search_by_ai: { today: 0, days: 0, only: 0 },
    search_by_deptsub: { today: 0, days: 0, only: 0 },
  }
  let [inReport, excludedCount] = [0, 0]
  for (const [at, project] of recent.projects.entries()) {
    const state = states[at]
    if (state === RULE_OUTCOME_NOT_MATCHED) continue
    const [verdict] = evaluateProjectMatch(state === RULE_OUTCOME_MATCHED ? inclusions : exclusions, project)
    const matchReasons = verdict?.kind === 'match' ? verdict.reasons : []
    const reasons = new Set(matchReasons.map(({ keyword }) => keyword))
    for (const { keyword, page } of matchReasons) if (page !== undefined) hits.get(keyword)!.in_documents += 1
    for (const keyword of reasons) {
      const wordHits = hits.get(keyword)!
      wordHits.hits += 1
      if (reasons.size === 1) wordHits.only += 1
    }
    if (state === RULE_OUTCOME_EXCLUDED) excludedCount += 1
    else {
      inReport += 1
      const by = verdict?.kind === 'match' ? verdict.matched_by : []
      const bySwitch = new Set(by.map((kind) => SWITCH_OF[kind]))
      for (const name of bySwitch) {
        const switchStats = switches[name]
        switchStats.days += 1
        if (bySwitch.size === 1) switchStats.only += 1
        // Compare the first load, so that "+n today" counts new projects, not old ones with a new date.
        if (recent.isLatest(project.first_load)) switchStats.today += 1
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
    level: getKeywordNoiseLevel(perWorkingDay),
    hidden: excludedCount,
  }
}

const MAX_CACHED_STATS = 200

export function createKeywordStatsCache(): (
  recent: RecentProjects,
  placement: ProjectRuleOutcomes,
) => Promise<KeywordStats> {
  const cache = new LRUCache<number, { recent: RecentProjects; key: string; stats: Promise<KeywordStats> }>({
    max: MAX_CACHED_STATS,
  })
  return async (recent, placement) => {
    const { rules } = placement
    const key = rulesKey(rules)
    const cached = cache.get(rules.id)
    if (cached?.recent === recent && cached.key === key) return cached.stats
    const stats = computeKeywordStats(recent, placement)
    cache.set(rules.id, { recent, key, stats })
    stats.catch(() => cache.delete(rules.id))
    return stats
  }
}

const rulesKey = (rules: OrganisationMatchRules) => JSON.stringify(rules)
