import type { LINK_KINDS, LinkedProject } from '#contract/catalogue/linked-project.ts'
import { isCancelled } from '#contract/catalogue/project.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isAlike } from './likeness.ts'
import { type ComparableName, comparableName, nameLikeness, numberLikeness } from './name-likeness.ts'
import { nameWords } from './name-words.ts'
import { findRelated, type RelatedProject } from './queries.ts'
import type { ComparedProject } from './similar-project-queries.ts'
import { sizeAround, sizeOf, unitToken } from './trait-tokens.ts'

type Kind = (typeof LINK_KINDS)[number]

/**
 * Thresholds favour precision: a wrong link costs more than a missing one. Among real names within one unit, roads of
 * two villages reach 0.90 and two houses of one compound 0.98, though with different numbers.
 */
const SAME_PURCHASE = 0.94
const SAME_YEARLY = 0.93
const MUCH_THE_SAME = 0.7
/** Required share of matching numbers; a re-run may correct one of many. */
const SAME_NUMBERS = 0.85
const YEARLY_NUMBERS = 0.7
/** N8: allowed budget difference for a run under a new number. */
const BUDGET_SHARE = 0.05
/** A purchase not repeated for two years is considered abandoned. */
const MOST_DAYS = 730
/** Shorter names ("ซื้อวัสดุสำนักงาน") are reused for unrelated purchases. */
const TELLING_LENGTH = 24
/** Allowed budget factor between yearly runs of one purchase. */
const YEARLY_FACTOR = 3
const MOST_CANDIDATES = 400
const MOST_OF_A_KIND = 6

const ORDER: readonly Kind[] = ['retender_of', 'retendered_as', 'yearly', 'similar']

/** Other runs of the same purchase and similar purchases of the unit, most certain first. */
export async function linkedProjects(
  db: Db,
  project: ComparedProject,
  organisationId: number,
): Promise<LinkedProject[]> {
  const { wordsOf, weightOf } = nameWords()
  const words = wordsOf(project.name)
  if (words.length === 0) return []
  const related = await findRelated(db, {
    tokens: [unitToken(project.department_id), words[0]!],
    sizes: sizeAround(sizeOf(project), YEARLY_FACTOR),
    except: project.project_id,
    organisationId,
    isSampleOnly: project.isSampleOnly === true,
    most: MOST_CANDIDATES,
  })
  const own = comparableName(project.name)
  const links = related.flatMap((other) => {
    // Hash collision: two units can share a token.
    if (other.department_id !== project.department_id || !isAlike(words, wordsOf(other.name), weightOf)) return []
    const theirs = comparableName(other.name)
    const likeness = nameLikeness(own, theirs)
    const kind = kindOf(project, other, { own, theirs, likeness })
    return kind ? [presentLink(other, kind, likeness)] : []
  })
  return ORDER.flatMap((kind) =>
    links
      .filter((link) => link.kind === kind)
      .sort((a, b) => b.likeness - a.likeness || (a.project_id > b.project_id ? -1 : 1))
      .slice(0, MOST_OF_A_KIND),
  )
}

export function linkKind(project: ComparedProject, other: OtherProject): Kind | undefined {
  const [own, theirs] = [comparableName(project.name), comparableName(other.name)]
  return kindOf(project, other, { own, theirs, likeness: nameLikeness(own, theirs) })
}

type Names = { readonly own: ComparableName; readonly theirs: ComparableName; readonly likeness: number }

function kindOf(project: ComparedProject, other: OtherProject, names: Names): Kind | undefined {
  const numbers = numberLikeness(names.own.numbers, names.theirs.numbers)
  const isTelling = Math.min(names.own.length, names.theirs.length) >= TELLING_LENGTH
  const isSame = names.likeness >= SAME_PURCHASE && numbers >= SAME_NUMBERS && isSameBudget(project, other)
  if (isTelling && (isSame || isSameByNameAlone(project, other, names, numbers))) {
    if (isRunAgain(project, other)) return 'retendered_as'
    if (isRunAgain(other, project)) return 'retender_of'
  }
  const isOtherYear =
    project.fiscal_year !== null && other.fiscal_year !== null && project.fiscal_year !== other.fiscal_year
  if (isOtherYear && names.likeness >= SAME_YEARLY) {
    if (numberLikeness(names.own.lasting, names.theirs.lasting) >= YEARLY_NUMBERS) return 'yearly'
  }
  return names.likeness >= MUCH_THE_SAME ? 'similar' : undefined
}

/** True if the second project started soon enough after the first was cancelled to be its re-run. */
function isRunAgain(cancelled: RunDates, later: RunDates): boolean {
  // For many projects the feed has only the cancellation.
  const first = cancelled.announced_on ?? cancelled.movement_on
  if (!isCancelled(cancelled.status) || first === null || later.announced_on === null) return false
  const days = (Date.parse(later.announced_on) - Date.parse(first)) / 86_400_000
  return days > 0 && days <= MOST_DAYS
}
type RunDates = Pick<RelatedProject, 'status' | 'announced_on' | 'movement_on'>
type OtherProject = RunDates & Pick<RelatedProject, 'name' | 'fiscal_year' | 'budget_satang'>

/** Announcements have no budget: if both are unknown, names must match exactly. */
function isSameByNameAlone(a: ComparedProject, b: OtherProject, names: Names, numbers: number): boolean {
  return a.budget_satang === null && b.budget_satang === null && names.likeness === 1 && numbers === 1
}

function isSameBudget(a: ComparedProject, b: OtherProject): boolean {
  if (!a.budget_satang || !b.budget_satang) return false
  return Math.abs(a.budget_satang - b.budget_satang) <= BUDGET_SHARE * Math.max(a.budget_satang, b.budget_satang)
}

const baht = (satang: number | null) => (satang === null ? null : satang / 100)

export function presentLink(other: RelatedProject, kind: Kind, likeness: number): LinkedProject {
  return {
    project_id: other.project_id,
    name: other.name,
    dept_name: other.dept_name,
    dept_sub_name: other.dept_sub_name,
    fiscal_year: other.fiscal_year,
    budget: baht(other.budget_satang),
    estimate_budget: baht(other.estimate_satang),
    winner_name: other.winner_name,
    winner_budget: baht(other.winner_satang),
    status: other.status,
    movement: other.movement,
    movement_date: other.movement_on,
    ...(other.is_movement_undated ? { is_movement_undated: true } : {}),
    kind,
    likeness: Math.round(likeness * 100) / 100,
    in_report: other.in_report,
  }
}
