import { formatPurchasingUnitAgencyName } from '#contract/catalogue/agency-name.ts'
import { type FitEvidenceCounts, MIN_FIT_EXAMPLES } from '#contract/matching/fit.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { type FitTitle, getTitleShare, readFitTitle } from './fit-title.ts'

export type FitProject = Pick<
  ProjectToMatch,
  'project_id' | 'name_spaced' | 'dept_name' | 'dept_sub_name' | 'dept_province' | 'project_province' | 'budget_satang'
> & {
  /** Tells local governments of the same name apart (`purchasingUnitsWithAgencySql`). */
  readonly agency: string
}

/** What an organisation did with a project. If it did several of these, the first one counts. */
const FIT_EVIDENCE_KINDS = ['won', 'bid', 'no_bid', 'starred', 'hidden'] as const
export type FitEvidenceKind = (typeof FIT_EVIDENCE_KINDS)[number]
export type FitExample = { readonly kind: FitEvidenceKind; readonly project: FitProject }

const EVIDENCE_WEIGHTS = { won: 1, bid: 0.8, starred: 0.5, hidden: -0.5, no_bid: -0.8 } as const satisfies Record<
  FitEvidenceKind,
  number
>

/** Weights of the wanted and the rejected examples, and the number of wanted ones by kind. */
export type FitCounts = {
  wanted: number
  rejected: number
  readonly byKind: { -readonly [Kind in keyof FitEvidenceCounts]: number }
}

export type FitProfile = {
  readonly wanted: number
  readonly rejected: number
  readonly kinds: ReadonlyMap<string, FitEvidenceKind>
  readonly words: ReadonlyMap<number, FitCounts>
  readonly agencies: ReadonlyMap<string, FitCounts>
  readonly provinces: ReadonlyMap<number, FitCounts>
  /** Sorted decimal logarithms of the budgets of wanted projects, in satang. */
  readonly budgets: readonly number[]
  readonly titles: readonly WantedTitle[]
  readonly titlesByWord: ReadonlyMap<number, readonly number[]>
}

type WantedTitle = { readonly weight: number; readonly norm: number }

export const provinceOf = ({ project_province, dept_province }: FitProject): number | null =>
  project_province ?? dept_province

/**
 * A purchasing unit counts for itself and for its department. Schools of one name in several provinces are several
 * units.
 */
export function listAgencies({ agency, dept_name, dept_sub_name, dept_province }: FitProject): string[] {
  if (!dept_sub_name || dept_sub_name === dept_name) return [agency]
  const province = getProvinceName(dept_province)
  return [`${agency}\n${formatPurchasingUnitAgencyName(dept_sub_name, province)}`, agency]
}

export const rarityOf = (word: number): number => -Math.log(getTitleShare(word))

export const normOf = (title: FitTitle): number => {
  let sum = 0
  for (const word of title) sum += rarityOf(word) ** 2
  return Math.sqrt(sum)
}

function countIn<Key>(counts: Map<Key, FitCounts>, key: Key, kind: FitEvidenceKind): void {
  let entry = counts.get(key)
  if (!entry) {
    entry = { wanted: 0, rejected: 0, byKind: { won: 0, bid: 0, starred: 0 } }
    counts.set(key, entry)
  }
  const weight = EVIDENCE_WEIGHTS[kind]
  if (weight > 0) entry.wanted += weight
  else entry.rejected -= weight
  if (kind === 'won' || kind === 'bid' || kind === 'starred') entry.byKind[kind] += 1
}

export function mergeFitExamples(examples: readonly FitExample[]): FitExample[] {
  const strongest = new Map<string, FitExample>()
  const rankOf = ({ kind }: FitExample) => FIT_EVIDENCE_KINDS.indexOf(kind)
  for (const example of examples) {
    const { project_id: id } = example.project
    const current = strongest.get(id)
    if (!current || rankOf(example) < rankOf(current)) strongest.set(id, example)
  }
  return [...strongest.values()]
}

/**
 * Counts what the examples have in common; each project must occur once (`mergeFitExamples`). Returns undefined if fewer
 * than `MIN_FIT_EXAMPLES` of them are wanted.
 */
export function learnFitProfile(examples: readonly FitExample[]): FitProfile | undefined {
  const words = new Map<number, FitCounts>()
  const agencies = new Map<string, FitCounts>()
  const provinces = new Map<number, FitCounts>()
  const budgets: number[] = []
  const titles: WantedTitle[] = []
  const titlesByWord = new Map<number, number[]>()
  const kinds = new Map<string, FitEvidenceKind>()
  let [wanted, rejected] = [0, 0]
  for (const { kind, project } of examples) {
    const weight = EVIDENCE_WEIGHTS[kind]
    kinds.set(project.project_id, kind)
    const title = readFitTitle(project.name_spaced)
    for (const word of title) countIn(words, word, kind)
    for (const agency of listAgencies(project)) countIn(agencies, agency, kind)
    const province = provinceOf(project)
    if (province !== null) countIn(provinces, province, kind)
    if (weight < 0) {
      rejected -= weight
      continue
    }
    wanted += weight
    if (project.budget_satang) budgets.push(Math.log10(project.budget_satang))
    for (const word of title) {
      const at = titlesByWord.get(word)
      if (at) at.push(titles.length)
      else titlesByWord.set(word, [titles.length])
    }
    titles.push({ weight, norm: normOf(title) })
  }
  if (titles.length < MIN_FIT_EXAMPLES) return undefined
  budgets.sort((a, b) => a - b)
  return { wanted, rejected, kinds, words, agencies, provinces, budgets, titles, titlesByWord }
}
