import type { KeywordList } from '#contract/account/organisation.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { type CompiledRules, type DocumentHit, type KeywordHit, type MatchProject, refusalOf } from './rules.ts'

export type MatchedBy = 'name' | 'ai' | 'deptsub' | 'document'
/** A keyword that let a project in, and which of its words or terms to highlight in the name. `page`: the keyword stands on this page of a document and not in the name. */
export type MatchReason = { readonly keyword: number; readonly terms: readonly string[]; readonly page?: number }
/** What the rules say of one project for one organisation; the names are those of the columns. */
export type Verdict = { readonly organisation_id: number; readonly project_id: string } & (
  | {
      readonly kind: 'match'
      readonly matched_by: readonly MatchedBy[]
      readonly matched_words: readonly string[]
      readonly reasons: readonly MatchReason[]
    }
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
const ORDER: readonly MatchedBy[] = ['name', 'ai', 'deptsub', 'document']

type Found = {
  readonly by: Set<MatchedBy>
  readonly words: Set<string>
  readonly reasons: MatchReason[]
  guilty: KeywordHit | undefined
}

function ownFound(found: Map<number, Found>, owner: number): Found {
  let own = found.get(owner)
  if (!own) {
    own = { by: new Set(), words: new Set(), reasons: [], guilty: undefined }
    found.set(owner, own)
  }
  return own
}

function collect(found: Map<number, Found>, hit: KeywordHit): void {
  const own = ownFound(found, hit.owner)
  const by = MATCHED_BY.get(hit.list)
  if (by) {
    own.by.add(by)
    own.reasons.push({ keyword: hit.id, terms: hit.words })
    for (const word of hit.words) own.words.add(word)
  } else own.guilty ??= hit
}

/** An entry that stands in the name needs no document to be a reason. */
function collectDocument(found: Map<number, Found>, { entry, page }: DocumentHit): void {
  const own = ownFound(found, entry.owner)
  if (own.reasons.some(({ keyword }) => keyword === entry.id)) return
  own.by.add('document')
  own.reasons.push({ keyword: entry.id, terms: [], page })
}

/** D9: who watches the exact unit, and who watches its department as a whole. A project without a unit belongs to the department itself. */
function watchersOf({ units }: CompiledRules, project: MatchProject): KeywordHit[] {
  if (units.size === 0) return []
  const department = searchForm(project.dept_name)
  const unit = project.dept_sub_name === '' ? department : searchForm(project.dept_sub_name)
  const owners = [...(units.get(unit) ?? []), ...(unit === department ? [] : (units.get(department) ?? []))]
  return owners.map((owner) => ({ ...owner, words: [] }))
}

/**
 * D8 for one project and every organisation at once. Organisations whose lists do not touch the project are not visited.
 * Exclusion wins over every kind of inclusion, except where the project was rescued from it.
 */
export function evaluateProject(rules: CompiledRules, project: MatchProject): Verdict[] {
  const found = new Map<number, Found>()
  for (const { id, words } of rules.names.match(project.name_search, project.name_spaced))
    collect(found, { ...id, words })
  for (const hit of watchersOf(rules, project)) collect(found, hit)
  for (const hit of rules.documents.get(project.project_id) ?? []) collectDocument(found, hit)
  const verdicts: Verdict[] = []
  for (const [owner, { by, words, reasons, guilty }] of found) {
    if (by.size === 0) continue
    const refusal = refusalOf(rules.gates[owner]!, project)
    if (refusal !== undefined && refusal !== 'window') continue
    const about = { organisation_id: rules.organisationIds[owner]!, project_id: project.project_id }
    if (guilty && !rules.rescued[owner]!.has(project.project_id)) {
      if (!refusal) verdicts.push({ ...about, kind: 'excluded', list: guilty.list, word: guilty.word })
    } else if (refusal) verdicts.push({ ...about, kind: 'outside_window', date: project.movement_on })
    else
      verdicts.push({
        ...about,
        kind: 'match',
        matched_by: ORDER.filter((kind) => by.has(kind)),
        matched_words: [...words],
        reasons,
      })
  }
  return verdicts
}
