import type { LinkedProject, PROJECT_LINK_KINDS } from '#contract/catalogue/linked-project.ts'
import { isCancelledProjectStatus } from '#contract/catalogue/project.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import {
  type ComparableName,
  computeNameSimilarity,
  computeNumberSimilarity,
  toComparableName,
} from './name-similarity.ts'
import { loadNameWordExtractor } from './name-word-extractor.ts'
import { findRelatedProjects, type RelatedProject } from './queries.ts'
import type { ComparedProject } from './similar-project-queries.ts'
import { getProjectSizeRangeAround, getProjectSizeSatang, toPurchasingUnitToken } from './trait-tokens.ts'
import { isSameKindOfWork } from './word-similarity.ts'

type LinkKind = (typeof PROJECT_LINK_KINDS)[number]

/**
 * Minimum name similarity at which two project numbers count as one purchase. Favours precision, because a wrong link
 * costs more than a missing one. Among real names within one unit, roads of two villages reach a similarity of 0.90 and
 * two houses of one compound 0.98, though their numbers differ.
 */
const SAME_PURCHASE_LIKENESS = 0.94
const YEARLY_LIKENESS = 0.93
const SIMILAR_LIKENESS = 0.7
/** Minimum share of matching numbers in two names of one purchase. A retender may correct one of many numbers. */
const SAME_PURCHASE_NUMBERS = 0.85
const YEARLY_NUMBERS = 0.7
/** Maximum budget difference of a retender under a new number (N8). */
const MAX_BUDGET_DIFFERENCE = 0.05
/** A purchase that is not retendered within two years is considered abandoned. */
const MAX_RETENDER_DAYS = 730
/**
 * Minimum length of a name that identifies a purchase. Shorter names ("ซื้อวัสดุสำนักงาน") are reused for unrelated
 * purchases.
 */
const MIN_SPECIFIC_LENGTH = 24
const MAX_YEARLY_FACTOR = 3
const MAX_CANDIDATES = 400
const MAX_LINKS_PER_KIND = 6

const KIND_ORDER: readonly LinkKind[] = ['retender_of', 'retendered_as', 'yearly', 'similar']

export async function findLinkedProjects(
  db: Db,
  project: ComparedProject,
  organisationId: number,
): Promise<LinkedProject[]> {
  const { wordsOf, weightOf } = await loadNameWordExtractor()
  const words = wordsOf(project.name)
  if (words.length === 0) return []
  const related = await findRelatedProjects(db, {
    tokens: [toPurchasingUnitToken(project.department_id), words[0]!],
    sizes: getProjectSizeRangeAround(getProjectSizeSatang(project), MAX_YEARLY_FACTOR),
    except: project.project_id,
    organisationId,
    limit: MAX_CANDIDATES,
  })
  const name = toComparableName(project.name)
  const links = related.flatMap((candidate) => {
    // Two units can share a token because of a hash collision, so compare the unit ids as well.
    if (
      candidate.department_id !== project.department_id ||
      !isSameKindOfWork(words, wordsOf(candidate.name), weightOf)
    )
      return []
    const otherName = toComparableName(candidate.name)
    const likeness = computeNameSimilarity(name, otherName)
    const kind = kindOf(project, candidate, { name, otherName, likeness })
    return kind ? [presentLinkedProject(candidate, kind, likeness)] : []
  })
  return KIND_ORDER.flatMap((kind) =>
    links
      .filter((link) => link.kind === kind)
      .sort((a, b) => b.likeness - a.likeness || (a.project_id > b.project_id ? -1 : 1))
      .slice(0, MAX_LINKS_PER_KIND),
  )
}

export function getProjectLinkKind(project: ComparedProject, candidate: OtherProject): LinkKind | undefined {
  const [name, otherName] = [toComparableName(project.name), toComparableName(candidate.name)]
  return kindOf(project, candidate, { name, otherName, likeness: computeNameSimilarity(name, otherName) })
}

type NamePair = { readonly name: ComparableName; readonly otherName: ComparableName; readonly likeness: number }

function kindOf(project: ComparedProject, candidate: OtherProject, names: NamePair): LinkKind | undefined {
  const numbers = computeNumberSimilarity(names.name.numbers, names.otherName.numbers)
  const isNameSpecific = Math.min(names.name.length, names.otherName.length) >= MIN_SPECIFIC_LENGTH
  const isSame =
    names.likeness >= SAME_PURCHASE_LIKENESS && numbers >= SAME_PURCHASE_NUMBERS && hasSimilarBudget(project, candidate)
  if (isNameSpecific && (isSame || matchesByNameOnly(project, candidate, names, numbers))) {
    if (isRetender(project, candidate)) return 'retendered_as'
    if (isRetender(candidate, project)) return 'retender_of'
  }
  const isOtherYear =
    project.fiscal_year !== null && candidate.fiscal_year !== null && project.fiscal_year !== candidate.fiscal_year
  if (isOtherYear && names.likeness >= YEARLY_LIKENESS) {
    if (computeNumberSimilarity(names.name.lasting, names.otherName.lasting) >= YEARLY_NUMBERS) return 'yearly'
  }
  return names.likeness >= SIMILAR_LIKENESS ? 'similar' : undefined
}

function isRetender(cancelled: RunDates, later: RunDates): boolean {
  // For many cancelled projects the feed contains only the cancellation, so its date is used instead.
  const startedOn = cancelled.announced_on ?? cancelled.movement_on
  if (!isCancelledProjectStatus(cancelled.status) || startedOn === null || later.announced_on === null) return false
  const days = (Date.parse(later.announced_on) - Date.parse(startedOn)) / 86_400_000
  return days > 0 && days <= MAX_RETENDER_DAYS
}
type RunDates = Pick<RelatedProject, 'status' | 'announced_on' | 'movement_on'>
type OtherProject = RunDates & Pick<RelatedProject, 'name' | 'fiscal_year' | 'budget_satang'>

/**
 * True if the names alone suffice. Announcements have no budget, and a doubtful one is left out; if a budget is unknown,
 * the names must match exactly.
 */
function matchesByNameOnly(a: ComparedProject, b: OtherProject, names: NamePair, numbers: number): boolean {
  const isBudgetUnknown = a.budget_satang === null || b.budget_satang === null
  return isBudgetUnknown && names.likeness === 1 && numbers === 1
}

function hasSimilarBudget(a: ComparedProject, b: OtherProject): boolean {
  if (!a.budget_satang || !b.budget_satang) return false
  return (
    Math.abs(a.budget_satang - b.budget_satang) <= MAX_BUDGET_DIFFERENCE * Math.max(a.budget_satang, b.budget_satang)
  )
}

export function presentLinkedProject(linked: RelatedProject, kind: LinkKind, likeness: number): LinkedProject {
  return {
    project_id: linked.project_id,
    name: linked.name,
    dept_name: linked.dept_name,
    dept_sub_name: linked.dept_sub_name,
    fiscal_year: linked.fiscal_year,
    budget: satangToBaht(linked.budget_satang),
    estimate_budget: satangToBaht(linked.estimate_satang),
    winner_name: linked.winner_name,
    winner_budget: satangToBaht(linked.winner_satang),
    status: linked.status,
    movement: linked.movement,
    movement_date: linked.movement_on,
    ...(linked.is_movement_undated ? { is_movement_undated: true } : {}),
    kind,
    likeness: Math.round(likeness * 100) / 100,
    in_report: linked.in_report,
  }
}
