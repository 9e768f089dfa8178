import type { KeywordListCode } from '#contract/account/organisation.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  type CompiledMatchRuleKeyword,
  type CompiledMatchRules,
  type DocumentKeywordHit,
  findExceededMatchLimit,
  type KeywordHit,
  type ProjectToMatch,
} from './compile-match-rules.ts'
import { addMatchReason, type MatchSource, type MatchSummary } from './match-summary.ts'

/**
 * Verdict of one organisation's rules on one project; fields are named after columns. Verdicts with equal `reasons`
 * share one list (`MatchSummaryPool`) unless a reason comes from a document.
 */
export type ProjectVerdict = { readonly organisation_id: number; readonly project_id: string } & (
  | ({ readonly kind: 'match' } & MatchSummary)
  | { readonly kind: 'excluded'; readonly list: KeywordListCode; readonly word: string }
  | { readonly kind: 'outside_window'; readonly date: string | null }
)

const MATCHED_BY: ReadonlyMap<KeywordListCode, MatchSource> = new Map([
  ['include', 'name'],
  ['ai_include', 'ai'],
  ['deptsub_include', 'deptsub'],
])

type OwnerHits = { matchSummary: MatchSummary; exclusion: CompiledMatchRuleKeyword | undefined }

function hitsFor(hitsByOwner: Map<number, OwnerHits>, owner: number, { summaries }: CompiledMatchRules): OwnerHits {
  let hits = hitsByOwner.get(owner)
  if (!hits) {
    hits = { matchSummary: summaries.nothing, exclusion: undefined }
    hitsByOwner.set(owner, hits)
  }
  return hits
}

function addHit(hitsByOwner: Map<number, OwnerHits>, hit: KeywordHit, rules: CompiledMatchRules): void {
  const hits = hitsFor(hitsByOwner, hit.id.owner, rules)
  const by = MATCHED_BY.get(hit.id.list)
  if (by) hits.matchSummary = rules.summaries.after(hits.matchSummary, hit, by)
  else hits.exclusion ??= hit.id
}

function addDocumentHit(
  hitsByOwner: Map<number, OwnerHits>,
  { entry, page }: DocumentKeywordHit,
  rules: CompiledMatchRules,
): void {
  const hits = hitsFor(hitsByOwner, entry.owner, rules)
  if (hits.matchSummary.reasons.some(({ keyword }) => keyword === entry.id)) return
  hits.matchSummary = addMatchReason(hits.matchSummary, 'document', { keyword: entry.id, terms: [], page })
}

/**
 * Returns the watch-list entries for the exact unit and for the whole department (D9). A project without a unit belongs
 * to the department itself.
 */
function watchersOf({ units }: CompiledMatchRules, project: ProjectToMatch): readonly KeywordHit[] {
  if (units.size === 0) return []
  const department = toNormalisedSearchText(project.dept_name)
  const unit = project.dept_sub_name === '' ? department : toNormalisedSearchText(project.dept_sub_name)
  return [...(units.get(unit) ?? []), ...(unit === department ? [] : (units.get(department) ?? []))]
}

/**
 * Evaluates the rules of D8 for one project and all organisations at once. Skips organisations without a list entry
 * that matches the project. An exclusion beats every inclusion unless the project was rescued.
 */
export function evaluateProjectMatch(rules: CompiledMatchRules, project: ProjectToMatch): ProjectVerdict[] {
  const hitsByOwner = new Map<number, OwnerHits>()
  for (const hit of rules.names.match(project.name_search, project.name_spaced)) addHit(hitsByOwner, hit, rules)
  for (const hit of watchersOf(rules, project)) addHit(hitsByOwner, hit, rules)
  // Add document reasons last, because they are specific to this project and their summaries cannot be shared.
  for (const hit of rules.documents.get(project.project_id) ?? []) addDocumentHit(hitsByOwner, hit, rules)
  const verdicts: ProjectVerdict[] = []
  for (const [owner, { matchSummary, exclusion }] of hitsByOwner) {
    const { matched_by, matched_words, reasons } = matchSummary
    if (reasons.length === 0) continue
    const exceededLimit = findExceededMatchLimit(rules.gates[owner]!, project)
    if (exceededLimit !== undefined && exceededLimit !== 'window') continue
    const isOutsideWindow = exceededLimit === 'window' && !rules.followed[owner]!.has(project.project_id)
    const about = { organisation_id: rules.organisationIds[owner]!, project_id: project.project_id }
    if (exclusion && !rules.rescued[owner]!.has(project.project_id)) {
      if (!isOutsideWindow) verdicts.push({ ...about, kind: 'excluded', list: exclusion.list, word: exclusion.word })
    } else if (isOutsideWindow) verdicts.push({ ...about, kind: 'outside_window', date: project.movement_on })
    else verdicts.push({ ...about, kind: 'match', matched_by, matched_words, reasons })
  }
  return verdicts
}
