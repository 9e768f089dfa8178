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
 * What the rules say of one project for one organisation; the names are those of the columns. `reasons`: one list for all matches that say the same
 * (`SaidWords`), except where a document is among them.
 */
export type Verdict = { readonly organisation_id: number; readonly project_id: string } & (
  | ({ readonly kind: 'match' } & Said)
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

/** An entry that stands in the name needs no document to be a reason. */
function collectDocument(found: Map<number, Found>, { entry, page }: DocumentHit, rules: CompiledRules): void {
  const own = ownFound(found, entry.owner, rules)
  if (own.said.reasons.some(({ keyword }) => keyword === entry.id)) return
  own.said = saidWith(own.said, 'document', { keyword: entry.id, terms: [], page })
}

/** D9: who watches the exact unit, and who watches its department as a whole. A project without a unit belongs to the department itself. */
function watchersOf({ units }: CompiledRules, project: MatchProject): readonly KeywordHit[] {
  if (units.size === 0) return []
  const department = searchForm(project.dept_name)
  const unit = project.dept_sub_name === '' ? department : searchForm(project.dept_sub_name)
  return [...(units.get(unit) ?? []), ...(unit === department ? [] : (units.get(department) ?? []))]
}

/**
 * D8 for one project and every organisation at once. Organisations whose lists do not touch the project are not visited.
 * Exclusion wins over every kind of inclusion, except where the project was rescued from it.
 */
export function evaluateProject(rules: CompiledRules, project: MatchProject): Verdict[] {
  const found = new Map<number, Found>()
  for (const hit of rules.names.match(project.name_search, project.name_spaced)) collect(found, hit, rules)
  for (const hit of watchersOf(rules, project)) collect(found, hit, rules)
  // Last, because what they say is this project's alone.
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
