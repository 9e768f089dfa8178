import type { KeywordList } from '#contract/organisation.ts'
import { searchForm } from '#contract/thai-text.ts'
import { type CompiledRules, type KeywordHit, type MatchProject, refusalOf } from './rules.ts'

export type MatchedBy = 'name' | 'ai' | 'deptsub'
/** What the rules say of one project for one organisation; the names are those of the columns. */
export type Verdict = { readonly organisation_id: number; readonly project_id: string } & (
  | { readonly kind: 'match'; readonly matched_by: readonly MatchedBy[]; readonly matched_words: readonly string[] }
  /** Everything else lets it in; this word keeps it out. */
  | { readonly kind: 'excluded'; readonly list: KeywordList; readonly word: string }
  /** Only the report window keeps it out. */
  | { readonly kind: 'outside_window'; readonly date: string | null }
)

const MATCHED_BY: ReadonlyMap<KeywordList, MatchedBy> = new Map([
  ['include', 'name'],
  ['ai_include', 'ai'],
  ['deptsub_include', 'deptsub'],
])
const ORDER: readonly MatchedBy[] = ['name', 'ai', 'deptsub']

type Found = { by: Set<MatchedBy>; words: Set<string>; guilty: KeywordHit | undefined }

function collect(found: Map<number, Found>, hit: KeywordHit): void {
  let own = found.get(hit.owner)
  if (!own) {
    own = { by: new Set(), words: new Set(), guilty: undefined }
    found.set(hit.owner, own)
  }
  const by = MATCHED_BY.get(hit.list)
  if (by) {
    own.by.add(by)
    for (const word of hit.words) own.words.add(word)
  } else own.guilty ??= hit
}

/**
 * D8 for one project and every organisation at once. Organisations whose lists do not touch the project are not visited.
 * Exclusion wins over every kind of inclusion.
 */
export function evaluateProject(rules: CompiledRules, project: MatchProject): Verdict[] {
  const found = new Map<number, Found>()
  for (const { id, words } of rules.names.match(project.name_search, project.name_spaced))
    collect(found, { ...id, words })
  for (const hit of rules.meaning(project)) collect(found, hit)
  if (rules.units.size > 0) {
    const unit = searchForm(project.dept_sub_name === '' ? project.dept_name : project.dept_sub_name)
    for (const owner of rules.units.get(unit) ?? []) collect(found, { ...owner, words: [] })
  }
  const verdicts: Verdict[] = []
  for (const [owner, { by, words, guilty }] of found) {
    if (by.size === 0) continue
    const refusal = refusalOf(rules.gates[owner]!, project)
    if (refusal === 'budget' || refusal === 'province') continue
    const about = { organisation_id: rules.organisationIds[owner]!, project_id: project.project_id }
    if (guilty) {
      if (!refusal) verdicts.push({ ...about, kind: 'excluded', list: guilty.list, word: guilty.word })
    } else if (refusal) verdicts.push({ ...about, kind: 'outside_window', date: project.movement_on })
    else
      verdicts.push({
        ...about,
        kind: 'match',
        matched_by: ORDER.filter((kind) => by.has(kind)),
        matched_words: [...words],
      })
  }
  return verdicts
}
