import type { KeywordPreview } from '#contract/matching/keyword-impact.ts'
import { loadOrganisationMatchRules } from '#server/matching/queries.ts'
import type { RecentProjectsCache } from '#server/matching/recent-projects.ts'
import { computeProjectRuleOutcomes } from '#server/matching/rule-placement.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { previewKeywordChange } from './preview-keyword-change.ts'

type WaitingKeyword = { readonly organisationId: number; readonly id: number }

export async function previewKeywordApproval(
  db: Db,
  recentProjects: RecentProjectsCache,
  { organisationId, id }: WaitingKeyword,
): Promise<KeywordPreview | undefined> {
  const [rules] = await loadOrganisationMatchRules(db, organisationId)
  const waiting = rules?.keywords.find((keyword) => keyword.id === id && !keyword.approved)
  if (!rules || !waiting) return undefined
  const otherKeywords = rules.keywords.filter((keyword) => keyword !== waiting)
  const approved = { ...waiting, approved: true }
  const recent = await recentProjects()
  const before = await computeProjectRuleOutcomes(recent, { ...rules, keywords: otherKeywords }, new TimeSlicer())
  return await previewKeywordChange(db, {
    recent,
    before,
    after: { ...rules, keywords: [...otherKeywords, approved] },
    added: [approved],
  })
}
