import { fiscalYearOf } from '#contract/catalogue/fiscal-year.ts'
import { compactForm, normaliseThai } from '#contract/thai/thai-text.ts'
import { isArchived, latestStep, movementOf, otherWinners, statusOf, winnerOf } from './derivation.ts'
import type { FeedRecord } from './feed-source.ts'
import { behindKnown, byStatement, intakeAfter } from './intake-notes.ts'
import {
  isSameRow,
  mergeAnnouncements,
  mergeAttachments,
  mergeContracts,
  replaceBidders,
  textAfter,
} from './merge-lists.ts'
import { changesBetween } from './project-changes.ts'
import type {
  AnnouncementRow,
  AttachmentRow,
  BidderRow,
  ChangeRow,
  ContractRow,
  FieldSources,
  IntakeNotes,
  KnownProject,
  ProjectRow,
} from './project-row.ts'
import { believed, type Speaker, UNKNOWN_DEPARTMENT } from './sources/believed.ts'
import { methodTypeOfTitle, statusCode } from './vocabulary.ts'

export type NextProject = {
  readonly row: ProjectRow
  readonly isRowChanged: boolean
  readonly changes: readonly ChangeRow[]
  readonly contracts: readonly ContractRow[]
  readonly attachments: readonly AttachmentRow[]
  readonly announcements: readonly AnnouncementRow[]
  /** Complete new list; undefined leaves the stored one. */
  readonly bidders: readonly BidderRow[] | undefined
  /** Sources of all facts; undefined leaves the stored ones. */
  readonly fieldSources: FieldSources | undefined
  /** Doubts and statement date; undefined leaves the stored ones. */
  readonly intake: IntakeNotes | undefined
}

/**
 * Computes the state of a project after `unordered` records; without records only date-dependent state changes. A fact
 * from a more trusted source stays (`SOURCE_ORDER`). `known` is undefined for a new project. Pure function.
 */
export function nextProject(
  projectId: string,
  known: KnownProject | undefined,
  unordered: readonly FeedRecord[],
  { today, ...speaker }: Speaker & { readonly today: string },
): NextProject {
  const records = behindKnown(known, byStatement(unordered))
  const contracts = mergeContracts(projectId, known?.contracts ?? [], records)
  const announcements = mergeAnnouncements(projectId, known?.announcements ?? [], records)
  const attachments = mergeAttachments(projectId, known?.attachments ?? [], records)
  const bidders = replaceBidders(projectId, known?.bidders ?? [], records)
  const { incoming, fieldSources } = believed(known, latestValues(records), speaker)
  const row = withDerived(mergedRow(projectId, known?.row, incoming), {
    before: known?.row,
    incoming,
    contracts: contracts.all,
    areContractsChanged: contracts.changed.length > 0,
    announcements: announcements.all,
    bidders: bidders ?? known?.bidders ?? [],
    today,
  })
  return {
    row,
    isRowChanged: !isSameRow(known?.row, row),
    changes: known === undefined ? [] : changesBetween(known.row, row, attachments.added),
    contracts: contracts.changed,
    attachments: attachments.changed,
    announcements: announcements.added,
    bidders,
    fieldSources,
    intake: intakeAfter(known, records, speaker),
  }
}

/** Merges several records into one: later values win, absent values do not overwrite. */
function latestValues(records: readonly FeedRecord[]): Partial<FeedRecord> {
  if (records.length === 1) return records[0]!
  const incoming: Record<string, unknown> = {}
  for (const record of records)
    for (const [key, value] of Object.entries(record)) if (value !== undefined) incoming[key] = value
  return incoming
}

function mergedRow(projectId: string, before: ProjectRow | undefined, incoming: Partial<FeedRecord>): ProjectRow {
  const stated = <T>(value: T | undefined, old: T | undefined, unknown: T): T =>
    value === undefined ? (old ?? unknown) : value
  const name = textAfter(before?.name ?? null, incoming.name) ?? `โครงการ ${projectId}`
  const spaced = before !== undefined && name === before.name ? before.name_spaced : normaliseThai(name)
  const deptName = textAfter(before?.dept_name ?? null, incoming.deptName) ?? UNKNOWN_DEPARTMENT
  const unit = textAfter(before?.dept_sub_name ?? null, incoming.deptSubName)
  return {
    project_id: projectId,
    name,
    name_search: spaced === before?.name_spaced ? before.name_search : compactForm(spaced),
    name_spaced: spaced,
    dept_name: deptName,
    // A unit belongs to its department: when a record changes only the department, the unit is reset to the department.
    dept_sub_name:
      unit === null || (incoming.deptSubName === undefined && deptName !== before?.dept_name) ? deptName : unit,
    dept_province: stated(incoming.deptProvince, before?.dept_province, null),
    project_province: stated(incoming.projectProvince, before?.project_province, null),
    district: textAfter(before?.district ?? null, incoming.district),
    subdistrict: textAfter(before?.subdistrict ?? null, incoming.subdistrict),
    latitude: stated(incoming.latitude, before?.latitude, null),
    longitude: stated(incoming.longitude, before?.longitude, null),
    fiscal_year: stated(incoming.fiscalYear, before?.fiscal_year, null),
    criteria: stated(incoming.criteria, before?.criteria, 'no_data'),
    method: stated(incoming.method, before?.method, ''),
    method_type: stated(incoming.methodType, before?.method_type, ''),
    budget_satang: stated(incoming.budgetSatang, before?.budget_satang, null),
    estimate_satang: stated(incoming.estimateSatang, before?.estimate_satang, null),
    winner_satang: stated(incoming.winnerSatang, before?.winner_satang, null),
    winner_name: textAfter(before?.winner_name ?? null, incoming.winnerName),
    winner_count: before?.winner_count ?? 0,
    other_winners: before?.other_winners ?? null,
    draft_published_on: stated(incoming.draftPublishedOn, before?.draft_published_on, null),
    draft_discussion_ends_on: stated(incoming.draftDiscussionEndsOn, before?.draft_discussion_ends_on, null),
    bidding_invited_on: stated(incoming.biddingInvitedOn, before?.bidding_invited_on, null),
    submission_ends_on: stated(incoming.submissionEndsOn, before?.submission_ends_on, null),
    // The submission time is valid only for its day.
    submission_time: stated(
      incoming.submissionTime,
      incoming.submissionEndsOn === undefined || incoming.submissionEndsOn === before?.submission_ends_on
        ? before?.submission_time
        : null,
      null,
    ),
    winner_announced_on: stated(incoming.winnerAnnouncedOn, before?.winner_announced_on, null),
    contract_signed_on: stated(incoming.contractSignedOn, before?.contract_signed_on, null),
    remark: textAfter(before?.remark ?? null, incoming.remark),
    is_sme: stated(incoming.isSme, before?.is_sme, false),
    status: before?.status ?? 'in_progress',
    movement: before?.movement ?? '',
    movement_on: before?.movement_on ?? null,
    is_movement_undated: before?.is_movement_undated ?? false,
    is_archived: before?.is_archived ?? false,
  }
}

type Facts = {
  readonly before: ProjectRow | undefined
  readonly incoming: Partial<FeedRecord>
  readonly contracts: readonly ContractRow[]
  readonly areContractsChanged: boolean
  readonly announcements: readonly AnnouncementRow[]
  readonly bidders: readonly BidderRow[]
  readonly today: string
}

function withDerived(row: ProjectRow, facts: Facts): ProjectRow {
  const { before, incoming, contracts, announcements, today } = facts
  const winner = winnerFields(row, facts)
  const signed = contracts.flatMap((contract) => contract.signed_on ?? []).toSorted()
  const contract_signed_on =
    incoming.contractSignedOn === undefined ? (signed[0] ?? row.contract_signed_on) : row.contract_signed_on
  const winner_announced_on = withoutWithdrawn(row.winner_announced_on, announcements)
  const latest = latestOf({ ...row, contract_signed_on, winner_announced_on }, contracts, announcements)
  const stated = incoming.status ? statusCode(incoming.status) : undefined
  const status = statusOf({ stated, hasContract: contracts.length > 0 || contract_signed_on !== null, latest, before })
  const step = movementOf({
    status,
    latest,
    submission_ends_on: row.submission_ends_on,
    winner_name: winner.winner_name,
    today,
    contracts,
    before:
      before === undefined
        ? undefined
        : { movement: before.movement, on: before.movement_on, isUndated: before.is_movement_undated },
  })
  const fiscal_year =
    incoming.fiscalYear === undefined ? (fiscalYearKnown(row, contract_signed_on, before) ?? null) : row.fiscal_year
  const archived = isArchived({
    status,
    statedText: incoming.status ?? undefined,
    contracts,
    movement_on: step.isUndated ? null : step.on,
    latest,
    fiscal_year,
    today,
  })
  // Once stated, a delivery persists until the source states another status.
  const staysArchived = incoming.status === undefined && before?.is_archived === true && before.status === status
  return {
    ...row,
    ...winner,
    winner_announced_on,
    contract_signed_on,
    status,
    movement: step.movement,
    movement_on: step.on,
    is_movement_undated: step.isUndated,
    fiscal_year,
    // e-GP titles start with the type, which the compact files omit.
    method_type: row.method_type === '' ? methodTypeOfTitle(row.name) : row.method_type,
    is_archived: archived || staysArchived,
  }
}

/** Returns null when the winner announcement was withdrawn on that day or later. */
function withoutWithdrawn(day: string | null, announcements: readonly AnnouncementRow[]): string | null {
  const isWithdrawn = announcements.some(
    ({ movement, announced_on }) => movement === 'winner_cancelled' && day !== null && announced_on >= day,
  )
  return isWithdrawn ? null : day
}

/** A signing date without a listed contract counts as a step too; some sources only have the date. */
function latestOf(row: ProjectRow, contracts: readonly ContractRow[], announcements: readonly AnnouncementRow[]) {
  const signed = row.contract_signed_on
  const implied = signed === null ? [] : [{ movement: 'contract_created', announced_on: signed }]
  return latestStep(row, contracts, [...announcements, ...implied])
}

/**
 * Takes the winner from the contracts if there are any, else as stated, else from the bidders marked as winners. The
 * total stays as stated (`sum_price_agree`), because a file may list only part of a project's contracts: in 421 of
 * 12,191 real projects the listed contracts add up to less.
 */
function winnerFields(row: ProjectRow, { incoming, contracts, areContractsChanged, bidders }: Facts) {
  const winner = winnerOf(contracts)
  const winners = bidders.filter((bidder) => bidder.is_winner)
  const winner_name = textAfter(row.winner_name, winner.name ?? undefined) ?? winners[0]?.name ?? null
  const isSumNews = incoming.winnerSatang === undefined && (areContractsChanged || row.winner_satang === null)
  return {
    winner_name,
    winner_count: winner.count || winners.length || (winner_name === null ? 0 : 1),
    other_winners: otherWinners(
      winner_name,
      winner.count > 0 ? winner.parties : winners.map(({ tin, name }) => ({ taxId: tin, name })),
    ),
    winner_satang: isSumNews ? (winner.satang ?? row.winner_satang) : row.winner_satang,
  }
}

/**
 * The year of the signature equals the stated fiscal year in all 17,191 real rows that have both; earlier dates agree
 * in only 83 % and are used until there is a contract. A stored year stays while the signature does.
 */
function fiscalYearKnown(row: ProjectRow, signedOn: string | null, before: ProjectRow | undefined): number | undefined {
  if (row.fiscal_year !== null && before?.contract_signed_on === signedOn) return row.fiscal_year
  if (signedOn !== null) return fiscalYearOf(signedOn)
  const day = row.winner_announced_on ?? row.bidding_invited_on ?? row.draft_published_on
  return row.fiscal_year ?? (day === null ? undefined : fiscalYearOf(day))
}
