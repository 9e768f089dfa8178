import type { KeywordList } from '#contract/account/organisation.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import {
  type CompiledRules,
  type DocumentHit,
  type KeywordHit,
  type MatchProject,
  type Owner,
  refusalOf,
} from './rules.ts'
import { type MatchedBy, type Said, saidWith } from './said-words.ts'

/**
 * Verdict of one organisation's rules on one project; fields are named after columns. Equal `reasons` share one list
 * (`SaidWords`) unless a document is among them.
 */
export type Verdict = { readonly organisation_id: number; readonly project_id: string } & (
  | ({ readonly kind: 'match' } & Said)
  | { readonly kind: 'excluded'; readonly list: KeywordList; readonly word: string }
  | { readonly kind: 'outside_window'; readonly date: string | null }
)

const MATCHED_BY: ReadonlyMap<KeywordList, MatchedBy> = new Map([
  ['include', 'name'],
  ['ai_include', 'ai'],
  ['deptsub_include', 'deptsub'],
])

type Found = { said: Said; guilty: Owner | undefined }

function ownFound(found: Map<number, Found>, owner: number, { said }: CompiledRules): Found {
  let own = found.get(owner)
  if (!own) {
    own = { said: said.nothing, guilty: undefined }
    found.set(owner, own)
  }
  return own
}

function collect(found: Map<number, Found>, hit: KeywordHit, rules: CompiledRules): void {
  const own = ownFound(found, hit.id.owner, rules)
  const by = MATCHED_BY.get(hit.id.list)
  if (by) own.said = rules.said.after(own.said, hit, by)
  else own.guilty ??= hit.id
}

function collectDocument(found: Map<number, Found>, { entry, page }: DocumentHit, rules: CompiledRules): void {
  const own = ownFound(found, entry.owner, rules)
  if (own.said.reasons.some(({ keyword }) => keyword === entry.id)) return
  own.said = saidWith(own.said, 'document', { keyword: entry.id, terms: [], page })
}

/**
 * D9: returns watchers of the exact unit and of the whole department. A project without a unit belongs to the
 * department itself.
 */
function watchersOf({ units }: CompiledRules, project: MatchProject): readonly KeywordHit[] {
  if (units.size === 0) return []
  const department = searchForm(project.dept_name)
  const unit = project.dept_sub_name === '' ? department : searchForm(project.dept_sub_name)
  return [...(units.get(unit) ?? []), ...(unit === department ? [] : (units.get(department) ?? []))]
}

/**
 * D8 for one project and all organisations at once; organisations whose lists do not touch the project are not
 * visited. Exclusion beats every inclusion unless the project was rescued.
 */
export function evaluateProject(rules: CompiledRules, project: MatchProject): Verdict[] {
  const found = new Map<number, Found>()
  for (const hit of rules.names.match(project.name_search, project.name_spaced)) collect(found, hit, rules)
  for (const hit of watchersOf(rules, project)) collect(found, hit, rules)
  // Last, because document reasons are specific to this project and cannot be shared.
  for (const hit of rules.documents.get(project.project_id) ?? []) collectDocument(found, hit, rules)
  const verdicts: Verdict[] = []
  for (const [owner, { said, guilty }] of found) {
    const { matched_by, matched_words, reasons } = said
    if (reasons.length === 0) continue
    const refused = refusalOf(rules.gates[owner]!, project)
    if (refused !== undefined && refused !== 'window') continue
    const refusal = rules.followed[owner]!.has(project.project_id) ? undefined : refused
    const about = { organisation_id: rules.organisationIds[owner]!, project_id: project.project_id }
    if (guilty && !rules.rescued[owner]!.has(project.project_id)) {
      if (!refusal) verdicts.push({ ...about, kind: 'excluded', list: guilty.list, word: guilty.word })
    } else if (refusal) verdicts.push({ ...about, kind: 'outside_window', date: project.movement_on })
    else verdicts.push({ ...about, kind: 'match', matched_by, matched_words, reasons })
  }
  return verdicts
}
