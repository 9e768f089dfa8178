import type { PossibleDuplicateKind, PossibleDuplicateProject } from '#contract/catalogue/possible-duplicate-project.ts'
import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { getProjectLinkKind, presentLinkedProject } from './find-linked-projects.ts'
import {
  type ComparableName,
  computeNameSimilarity,
  computeNumberSimilarity,
  toComparableName,
} from './name-similarity.ts'
import { createNameWordExtractor } from './name-word-extractor.ts'
import { findAgencyUnits, findRelatedProjects, type RelatedProject } from './queries.ts'
import type { ComparedProject } from './similar-project-queries.ts'
import { getProcurementMethodGroup, toAgencyKey, toPurchasingUnitToken } from './trait-tokens.ts'

/** Minimum name similarity of one work under two numbers. Allows a typo in the letters but none in the numbers. */
const SAME_NAME_LIKENESS = 0.97
const MAX_BUDGET_DIFFERENCE = 0.05
/**
 * Maximum days between the announcements of one work. Works are tied to a place and are not built twice within half a
 * year. Goods and services that are announced again after two months are mostly repeat purchases.
 */
const MAX_DAYS_APART = { construct: 180, other: 60 }
const MAX_LOT_DAYS_APART = 60
const MIN_SPECIFIC_LENGTH = 24
const MAX_CANDIDATES = 400
const MAX_TWINS = 10

const LOT_PATTERN = /(?:ช่วง|ตอน|กลุ่ม|ระยะ|ส่วน|สัญญา|แปลง|โซน|ล็อต|ล๊อต|lot|zone)(?:ที่)? ?\d{1,3}/gi

type TwinCandidate = Pick<RelatedProject, 'name' | 'budget_satang' | 'announced_on' | 'movement_on'>
type Reason = PossibleDuplicateProject['reason']

function splitLots(name: string): { readonly lots: string; readonly name: ComparableName } {
  const plain = toArabicDigits(name)
  return { lots: (plain.match(LOT_PATTERN) ?? []).join('|'), name: toComparableName(plain.replace(LOT_PATTERN, ' ')) }
}

const dayOf = ({ announced_on, movement_on }: TwinCandidate) => announced_on ?? movement_on

/**
 * Returns why two projects of one agency may be the same work; undefined if unlikely. `isWork` means construction at a
 * fixed place.
 */
function findPossibleDuplicateReason(
  a: TwinCandidate,
  b: TwinCandidate,
  { isWork, isOneUnit }: { readonly isWork: boolean; readonly isOneUnit: boolean },
): Reason | undefined {
  const [days, share] = [daysBetween(dayOf(a), dayOf(b)), shareOf(a.budget_satang, b.budget_satang)]
  const [first, second] = [splitLots(a.name), splitLots(b.name)]
  if (days === null || Math.min(first.name.length, second.name.length) < MIN_SPECIFIC_LENGTH) return undefined
  const likeness = computeNameSimilarity(first.name, second.name)
  if (likeness < SAME_NAME_LIKENESS || computeNumberSimilarity(first.name.numbers, second.name.numbers) < 1)
    return undefined
  const reason = (kind: PossibleDuplicateKind): Reason => ({
    kind,
    likeness: Math.round(likeness * 100) / 100,
    budget_share: share,
    days,
  })
  if (first.lots !== second.lots) {
    const areLots = first.lots !== '' && second.lots !== '' && days <= MAX_LOT_DAYS_APART
    return areLots ? reason('lot') : undefined
  }
  if (share === null || share > MAX_BUDGET_DIFFERENCE || days > MAX_DAYS_APART[isWork ? 'construct' : 'other'])
    return undefined
  return reason(isOneUnit ? 'same' : 'sister')
}

function daysBetween(a: string | null, b: string | null): number | null {
  return a === null || b === null ? null : Math.round(Math.abs(Date.parse(a) - Date.parse(b)) / 86_400_000)
}

/** Returns the relative difference of two amounts: 0 means equal, 0.05 means a difference of 5 % of the larger one. */
function shareOf(a: number | null, b: number | null): number | null {
  return a && b ? Math.abs(a - b) / Math.max(a, b) : null
}

const KIND_ORDER: readonly PossibleDuplicateKind[] = ['again', 'same', 'lot', 'sister']

/**
 * Returns projects that may be the same work, with the reason (N17). Nothing is merged; the reader decides. Skips
 * direct purchases, because the same goods are bought repeatedly under one name all year.
 */
export async function findPossibleDuplicateProjects(
  db: Db,
  project: ComparedProject,
  organisationId: number,
): Promise<PossibleDuplicateProject[]> {
  const [word] = createNameWordExtractor().wordsOf(project.name)
  if (word === undefined || getProcurementMethodGroup(project.method) === 'specific') return []
  const units = await findAgencyUnits(db, project.department_id)
  const agency = units[0] && toAgencyKey(units[0].name, units[0].province)
  const agencyUnits = units.filter(({ name, province }) => toAgencyKey(name, province) === agency).map(({ id }) => id)
  const related = await findRelatedProjects(db, {
    tokens: [word],
    anyOf: agencyUnits.map(toPurchasingUnitToken),
    except: project.project_id,
    organisationId,
    limit: MAX_CANDIDATES,
  })
  return (
    related
      // Compare the unit ids, because two units can share a token after a hash collision.
      .filter(
        ({ department_id, method }) =>
          agencyUnits.includes(department_id) && getProcurementMethodGroup(method) !== 'specific',
      )
      .flatMap((candidate): PossibleDuplicateProject[] => {
        const reason = linkReason(project, candidate)
        return reason
          ? [{ ...presentLinkedProject(candidate, reason.link, reason.twin.likeness), reason: reason.twin }]
          : []
      })
      .sort(
        (a, b) =>
          KIND_ORDER.indexOf(a.reason.kind) - KIND_ORDER.indexOf(b.reason.kind) ||
          (a.reason.days ?? 0) - (b.reason.days ?? 0) ||
          (a.project_id < b.project_id ? -1 : 1),
      )
      .slice(0, MAX_TWINS)
  )
}

function linkReason(project: ComparedProject, candidate: RelatedProject) {
  const isOneUnit = candidate.department_id === project.department_id
  const link = isOneUnit ? getProjectLinkKind(project, candidate) : undefined
  const isWork = project.method_type === 'construct'
  const twin = findPossibleDuplicateReason(project, candidate, { isWork, isOneUnit })
  if (link === 'retender_of' || link === 'retendered_as') {
    const likeness =
      Math.round(computeNameSimilarity(toComparableName(project.name), toComparableName(candidate.name)) * 100) / 100
    const days = daysBetween(dayOf(project), dayOf(candidate))
    const share = shareOf(project.budget_satang, candidate.budget_satang)
    return { link, twin: { kind: 'again', likeness, budget_share: share, days } satisfies Reason }
  }
  return twin && { link: 'similar' as const, twin }
}
