import type { TwinKind, TwinProject } from '#contract/catalogue/twin-project.ts'
import { arabicDigits } from '#contract/thai/thai-letters.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { linkKind, presentLink } from './linked-projects.ts'
import { type ComparableName, comparableName, nameLikeness, numberLikeness } from './name-likeness.ts'
import { nameWords } from './name-words.ts'
import { findRelated, type RelatedProject, unitsNamed } from './queries.ts'
import type { ComparedProject } from './similar-project-queries.ts'
import { agencyOf, roadOf, unitToken } from './trait-tokens.ts'

/** Required name similarity: allows a typo in letters, none in numbers. */
const SAME_NAME = 0.97
const BUDGET_SHARE = 0.05
/**
 * Works are tied to a place and not built twice within half a year; goods and services announced again after two months
 * are mostly repeat purchases.
 */
const SAME_DAYS = { construct: 180, other: 60 }
/** Lots of one work are announced together. */
const LOT_DAYS = 60
/** Shorter names ("ซื้อวัสดุสำนักงาน") are reused for unrelated purchases. */
const TELLING_LENGTH = 24
const MOST_CANDIDATES = 400
const MOST_TWINS = 10

const LOT = /(?:ช่วง|ตอน|กลุ่ม|ระยะ|ส่วน|สัญญา|แปลง|โซน|ล็อต|ล๊อต|lot|zone)(?:ที่)? ?\d{1,3}/gi

type Side = Pick<RelatedProject, 'name' | 'budget_satang' | 'announced_on' | 'movement_on'>
type Reason = TwinProject['reason']

function withoutLots(name: string): { readonly lots: string; readonly rest: ComparableName } {
  const plain = arabicDigits(name)
  return { lots: (plain.match(LOT) ?? []).join('|'), rest: comparableName(plain.replace(LOT, ' ')) }
}

const dayOf = ({ announced_on, movement_on }: Side) => announced_on ?? movement_on

/**
 * Why two projects of one agency may be the same work; undefined if unlikely. `isWork`: construction at a fixed place.
 */
export function twinReason(
  a: Side,
  b: Side,
  { isWork, isOneUnit }: { readonly isWork: boolean; readonly isOneUnit: boolean },
): Reason | undefined {
  const [days, share] = [daysBetween(dayOf(a), dayOf(b)), shareOf(a.budget_satang, b.budget_satang)]
  const [own, theirs] = [withoutLots(a.name), withoutLots(b.name)]
  if (days === null || Math.min(own.rest.length, theirs.rest.length) < TELLING_LENGTH) return undefined
  const likeness = nameLikeness(own.rest, theirs.rest)
  if (likeness < SAME_NAME || numberLikeness(own.rest.numbers, theirs.rest.numbers) < 1) return undefined
  const reason = (kind: TwinKind): Reason => ({
    kind,
    likeness: Math.round(likeness * 100) / 100,
    budget_share: share,
    days,
  })
  if (own.lots !== theirs.lots) {
    const areLots = own.lots !== '' && theirs.lots !== '' && days <= LOT_DAYS
    return areLots ? reason('lot') : undefined
  }
  if (share === null || share > BUDGET_SHARE || days > SAME_DAYS[isWork ? 'construct' : 'other']) return undefined
  return reason(isOneUnit ? 'same' : 'sister')
}

function daysBetween(a: string | null, b: string | null): number | null {
  return a === null || b === null ? null : Math.round(Math.abs(Date.parse(a) - Date.parse(b)) / 86_400_000)
}

/** 0 means equal; 0.05 means a difference of 5 % of the larger. */
function shareOf(a: number | null, b: number | null): number | null {
  return a && b ? Math.abs(a - b) / Math.max(a, b) : null
}

const ORDER: readonly TwinKind[] = ['again', 'same', 'lot', 'sister']

/**
 * Projects that may be the same work, with the reason (N17). Nothing is merged; the reader decides. Direct purchases
 * are skipped: the same goods are bought repeatedly under one name all year.
 */
export async function twinsOf(db: Db, project: ComparedProject, organisationId: number): Promise<TwinProject[]> {
  const [word] = nameWords().wordsOf(project.name)
  if (word === undefined || roadOf(project.method) === 'specific') return []
  const units = await unitsNamed(db, project.department_id)
  const agency = units[0] && agencyOf(units[0].name, units[0].province)
  const own = units.filter(({ name, province }) => agencyOf(name, province) === agency).map(({ id }) => id)
  const related = await findRelated(db, {
    tokens: [word],
    anyOf: own.map(unitToken),
    except: project.project_id,
    organisationId,
    isSampleOnly: project.isSampleOnly === true,
    most: MOST_CANDIDATES,
  })
  return (
    related
      // Hash collision: two units can share a token.
      .filter(({ department_id, method }) => own.includes(department_id) && roadOf(method) !== 'specific')
      .flatMap((other): TwinProject[] => {
        const reason = reasonOf(project, other)
        return reason ? [{ ...presentLink(other, reason.link, reason.twin.likeness), reason: reason.twin }] : []
      })
      .sort(
        (a, b) =>
          ORDER.indexOf(a.reason.kind) - ORDER.indexOf(b.reason.kind) ||
          (a.reason.days ?? 0) - (b.reason.days ?? 0) ||
          (a.project_id < b.project_id ? -1 : 1),
      )
      .slice(0, MOST_TWINS)
  )
}

/** Re-runs after a cancellation use the link rules; otherwise name, budget and days decide. */
function reasonOf(project: ComparedProject, other: RelatedProject) {
  const isOneUnit = other.department_id === project.department_id
  const link = isOneUnit ? linkKind(project, other) : undefined
  const isWork = project.method_type === 'construct'
  const twin = twinReason(project, other, { isWork, isOneUnit })
  if (link === 'retender_of' || link === 'retendered_as') {
    const likeness = Math.round(nameLikeness(comparableName(project.name), comparableName(other.name)) * 100) / 100
    const days = daysBetween(dayOf(project), dayOf(other))
    const share = shareOf(project.budget_satang, other.budget_satang)
    return { link, twin: { kind: 'again', likeness, budget_share: share, days } satisfies Reason }
  }
  return twin && { link: 'similar' as const, twin }
}
