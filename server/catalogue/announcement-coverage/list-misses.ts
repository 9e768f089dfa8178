import { formatPurchasingUnitAgencyName } from '#contract/catalogue/agency-name.ts'
import type { CoverageMisses, CoverageMissReason, CoverageNightOutcome } from '#contract/catalogue/coverage.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  type AgencyCodes,
  findQuarantineReasons,
  type LateInvitation,
  listCoverageNights,
  listLateInvitations,
  listUnknownAgencies,
  listUnlistedInvitations,
  toQuarantineKey,
} from './queries.ts'

/** After a failed night the feed has not answered for up to 9,000 agencies. */
const MAX_UNKNOWN_AGENCIES = 500
/** Three times the invitations of a working day. */
const MAX_ITEMS = 2_000

const NIGHT_REASONS: Readonly<Record<CoverageNightOutcome, CoverageMissReason>> = {
  complete: 'not_answered',
  none: 'no_night',
  refused: 'night_refused',
  closed: 'night_closed',
  halted: 'night_halted',
  cut_short: 'night_cut_short',
  running: 'night_running',
}

type NamedAgency = { readonly agency: string; readonly province: number | null }
const formatAgency = ({ agency, province }: NamedAgency) =>
  formatPurchasingUnitAgencyName(agency, getProvinceName(province))

export async function listCoverageMisses(db: Db, day: string, codes: AgencyCodes): Promise<CoverageMisses> {
  const [late, unlisted, unknown, nights] = await Promise.all([
    listLateInvitations(db, day, codes),
    listUnlistedInvitations(db, day, codes),
    listUnknownAgencies(db, day, codes, MAX_UNKNOWN_AGENCIES),
    listCoverageNights(db),
  ])
  const outcome = nights.find(({ night }) => night === day)?.outcome ?? 'none'
  const isQuarantined = ({ receivedAt, isApplied }: LateInvitation) => receivedAt === null && isApplied
  const details = await findQuarantineReasons(
    db,
    late.filter(isQuarantined).map(({ projectId }) => projectId),
  )
  const reasonOf = (item: LateInvitation): CoverageMissReason =>
    item.receivedAt !== null ? NIGHT_REASONS[outcome] : item.isApplied ? 'quarantined' : 'waiting'
  return {
    day,
    total: late.length,
    items: late.slice(0, MAX_ITEMS).map((item) => ({
      project_id: item.projectId,
      title: item.title,
      agency: formatAgency(item),
      received_at: item.receivedAt && new Date(item.receivedAt).toISOString(),
      reason: reasonOf(item),
      detail: details.get(toQuarantineKey(item.projectId)) ?? null,
    })),
    unlisted: unlisted.map(({ counted, missing, ...named }) => ({ agency: formatAgency(named), counted, missing })),
    unknown_total: unknown[0]?.total ?? 0,
    unknown: unknown.map(({ answeredAt, hungNights, ...named }) => ({
      agency: formatAgency(named),
      answered_at: answeredAt && new Date(answeredAt).toISOString(),
      reason: answeredAt === null ? 'never_answered' : hungNights > 0 ? 'not_answering' : 'not_asked',
    })),
  }
}
