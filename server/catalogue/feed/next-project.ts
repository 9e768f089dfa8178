import { isDoubtfulBudget } from '#contract/catalogue/data-issue.ts'
import { getProjectFact, PROJECT_FACT_NAMES } from '#contract/catalogue/project-facts.ts'
import { getFiscalYear } from '#contract/thai/thai-date.ts'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import {
  deriveProjectMovement,
  deriveProjectStatus,
  findLatestProjectStep,
  formatOtherWinners,
  getProjectWinner,
  isProjectArchived,
} from './derive-project-status.ts'
import { diffTrackedFields } from './diff-tracked-fields.ts'
import { type FeedRecord, SOURCE_STATED_FACTS } from './feed-source.ts'
import { inferProcurementMethodType, toProjectStatusCode } from './feed-vocabulary.ts'
import {
  computeNextProjectImportNotes,
  limitOlderRecordsToMissingValues,
  sortFeedRecordsBySourceTime,
} from './intake-notes.ts'
import {
  hasEqualColumns,
  mergeAnnouncements,
  mergeAttachments,
  mergeContracts,
  mergeText,
  replaceBidders,
} from './merge-lists.ts'
import type {
  AnnouncementRow,
  AttachmentRow,
  BidderRow,
  ContractRow,
  ExistingProject,
  FieldChangeRow,
  FieldSources,
  ProjectImportNotes,
  ProjectRow,
} from './project-row.ts'
import { type FactOrigin, resolveFactConflicts, UNKNOWN_DEPARTMENT_NAME } from './sources/resolve-fact-conflicts.ts'

export type NextProjectState = {
  readonly row: ProjectRow
  readonly isRowChanged: boolean
  readonly changes: readonly FieldChangeRow[]
  readonly contracts: readonly ContractRow[]
  readonly attachments: readonly AttachmentRow[]
  readonly announcements: readonly AnnouncementRow[]
  /** Complete new list of bidders; undefined keeps the stored one. */
  readonly bidders: readonly BidderRow[] | undefined
  readonly fieldSources: FieldSources | undefined
  readonly intake: ProjectImportNotes | undefined
}

/**
 * Computes the state of a project after `unordered` records; without records only date-dependent state changes. A fact
 * from a more trusted source stays (`PROJECT_FACT_SOURCE_PRIORITIES`). `existing` is undefined for a new project. Pure function.
 */
export function computeNextProjectState(
  projectId: string,
  existing: ExistingProject | undefined,
  unordered: readonly FeedRecord[],
  { today, ...origin }: FactOrigin & { readonly today: string },
): NextProjectState {
  const records = limitOlderRecordsToMissingValues(existing, sortFeedRecordsBySourceTime(unordered))
  const contracts = mergeContracts(projectId, existing?.contracts ?? [], records)
  const announcements = mergeAnnouncements(projectId, existing?.announcements ?? [], records)
  const attachments = mergeAttachments(projectId, existing?.attachments ?? [], records)
  const bidders = replaceBidders(projectId, existing?.bidders ?? [], records)
  const { incoming, fieldSources } = resolveFactConflicts(existing, mergeRecords(records), origin)
  const row = withDerivedFields(mergeRow(projectId, existing?.row, incoming), {
    before: existing?.row,
    incoming,
    contracts: contracts.all,
    areContractsChanged: contracts.changed.length > 0,
    announcements: announcements.all,
    bidders: bidders ?? existing?.bidders ?? [],
    today,
  })
  const intake = computeNextProjectImportNotes(existing, records, origin)
  // Servers cache whether the budget is in doubt together with the project's row, so a new doubt must rewrite the row.
  const isBudgetDoubtChanged =
    intake !== undefined &&
    row.budget_satang === null &&
    intake.doubts.some(isDoubtfulBudget) !== (existing?.doubts ?? []).some(isDoubtfulBudget)
  return {
    row,
    isRowChanged: isBudgetDoubtChanged || !hasEqualColumns(existing?.row, row),
    changes: existing === undefined ? [] : diffTrackedFields(existing.row, row, attachments.added),
    contracts: contracts.changed,
    attachments: attachments.changed,
    announcements: announcements.added,
    bidders,
    fieldSources,
    intake,
  }
}

function mergeRecords(records: readonly FeedRecord[]): Partial<FeedRecord> {
  if (records.length === 1) return records[0]!
  const incoming: Record<string, unknown> = {}
  for (const record of records)
    for (const [key, value] of Object.entries(record)) if (value !== undefined) incoming[key] = value
  return incoming
}

const UNKNOWN_FACTS = Object.fromEntries(
  PROJECT_FACT_NAMES.map(getProjectFact).map(({ column, unknown = null }) => [column, unknown]),
)
const UNKNOWN_ROW: Readonly<Record<string, unknown>> = {
  ...UNKNOWN_FACTS,
  status: 'in_progress',
  is_movement_undated: false,
  other_winners: null,
}

function mergeRow(projectId: string, stored: ProjectRow | undefined, incoming: Partial<FeedRecord>): ProjectRow {
  const row: Record<string, unknown> = { ...(stored ?? UNKNOWN_ROW) }
  for (const { key, column, type } of SOURCE_STATED_FACTS) {
    const value = incoming[key]
    if (type === 'text') {
      const old = stored?.[column] ?? null
      row[column] = mergeText(old as string | null, value as string | null | undefined)
    } else if (value !== undefined) row[column] = value
  }
  const merged = row as ProjectRow
  const stated = row as Readonly<Record<'name' | 'dept_name' | 'dept_sub_name', string | null>>
  const name = stated.name ?? `โครงการ ${projectId}`
  const spaced = stored !== undefined && name === stored.name ? stored.name_spaced : normaliseThai(name)
  const deptName = stated.dept_name ?? UNKNOWN_DEPARTMENT_NAME
  const isOtherDay = incoming.submissionEndsOn !== undefined && incoming.submissionEndsOn !== stored?.submission_ends_on
  return {
    ...merged,
    project_id: projectId,
    name,
    name_search: spaced === stored?.name_spaced ? stored.name_search : removeSpacesNextToThai(spaced),
    name_spaced: spaced,
    dept_name: deptName,
    // A unit belongs to its department: when a record changes only the department, the unit is reset to the department.
    dept_sub_name:
      stated.dept_sub_name === null || (incoming.deptSubName === undefined && deptName !== stored?.dept_name)
        ? deptName
        : stated.dept_sub_name,
    // The submission time is valid only for its day, so a new submission day clears the time.
    submission_time: isOtherDay && incoming.submissionTime === undefined ? null : merged.submission_time,
  }
}

type DerivationFacts = {
  readonly before: ProjectRow | undefined
  readonly incoming: Partial<FeedRecord>
  readonly contracts: readonly ContractRow[]
  readonly areContractsChanged: boolean
  readonly announcements: readonly AnnouncementRow[]
  readonly bidders: readonly BidderRow[]
  readonly today: string
}

function withDerivedFields(row: ProjectRow, facts: DerivationFacts): ProjectRow {
  const { before, incoming, contracts, announcements, today } = facts
  const winner = winnerFields(row, facts)
  const signed = contracts.flatMap((contract) => contract.signed_on ?? []).toSorted()
  const contract_signed_on =
    incoming.contractSignedOn === undefined ? (signed[0] ?? row.contract_signed_on) : row.contract_signed_on
  const winner_announced_on = dropWithdrawnDay(row.winner_announced_on, announcements)
  const latest = latestStepOf({ ...row, contract_signed_on, winner_announced_on }, contracts, announcements)
  const stated = incoming.status ? toProjectStatusCode(incoming.status) : undefined
  const status = deriveProjectStatus({
    stated,
    hasContract: contracts.length > 0 || contract_signed_on !== null,
    latest,
    before,
  })
  const step = deriveProjectMovement({
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
    incoming.fiscalYear === undefined ? (resolveFiscalYear(row, contract_signed_on, before) ?? null) : row.fiscal_year
  const archived = isProjectArchived({
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
    // e-GP titles start with the type of procurement, which the compact files omit.
    method_type: row.method_type === '' ? inferProcurementMethodType(row.name) : row.method_type,
    is_archived: archived || staysArchived,
  }
}

function dropWithdrawnDay(day: string | null, announcements: readonly AnnouncementRow[]): string | null {
  const isWithdrawn = announcements.some(
    ({ movement, announced_on }) => movement === 'winner_cancelled' && day !== null && announced_on >= day,
  )
  return isWithdrawn ? null : day
}

/** A signing date without a listed contract counts as a step too; some sources only have the date. */
function latestStepOf(row: ProjectRow, contracts: readonly ContractRow[], announcements: readonly AnnouncementRow[]) {
  const signed = row.contract_signed_on
  const implied = signed === null ? [] : [{ movement: 'contract_created', announced_on: signed }]
  return findLatestProjectStep(row, contracts, [...announcements, ...implied])
}

/**
 * Takes the winner from the contracts if there are any, else as stated, else from the bidders marked as winners. The
 * total stays as stated (`sum_price_agree`), because a file may list only part of a project's contracts: in 421 of
 * 12,191 real projects the listed contracts add up to less.
 */
function winnerFields(row: ProjectRow, { incoming, contracts, areContractsChanged, bidders }: DerivationFacts) {
  const winner = getProjectWinner(contracts)
  const winners = bidders.filter((bidder) => bidder.is_winner)
  const winner_name = mergeText(row.winner_name, winner.name ?? undefined) ?? winners[0]?.name ?? null
  const usesContractTotal = incoming.winnerSatang === undefined && (areContractsChanged || row.winner_satang === null)
  return {
    winner_name,
    winner_count: winner.count || winners.length || (winner_name === null ? 0 : 1),
    other_winners: formatOtherWinners(
      winner_name,
      winner.count > 0 ? winner.parties : winners.map(({ tin, name }) => ({ taxId: tin, name })),
    ),
    winner_satang: usesContractTotal ? (winner.satang ?? row.winner_satang) : row.winner_satang,
  }
}

/**
 * Returns the fiscal year of the signature, which equals the stated fiscal year in all 17,191 real rows that have both.
 * Earlier dates agree in only 83 % and are used until there is a contract. A stored year stays as long as the signature
 * date does.
 */
function resolveFiscalYear(
  row: ProjectRow,
  signedOn: string | null,
  stored: ProjectRow | undefined,
): number | undefined {
  if (row.fiscal_year !== null && stored?.contract_signed_on === signedOn) return row.fiscal_year
  if (signedOn !== null) return getFiscalYear(signedOn)
  const day = row.winner_announced_on ?? row.bidding_invited_on ?? row.draft_published_on
  return row.fiscal_year ?? (day === null ? undefined : getFiscalYear(day))
}
