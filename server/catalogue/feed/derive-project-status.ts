import { flagPersonalNames, getTenderPartyKeys } from '#contract/catalogue/company-name.ts'
import type { TenderParty } from '#contract/catalogue/natural-person.ts'
import { isCancelledProjectStatus, PROJECT_MOVEMENTS, type ProjectStatus } from '#contract/catalogue/project.ts'
import { isClosedContractStatus } from '#server/platform/text/contract-status.ts'
import type { AnnouncementRow, ContractRow, ProjectRow } from './project-row.ts'

/** Derives facts that no source states: status (D1), movement (D2), archived (D5), winner, fiscal year (D15). */

/** `isUndated`: no source dates the step, so `on` is the latest day on which it can have happened. */
export type ProjectStep = { readonly movement: string; readonly on: string | null; readonly isUndated: boolean }

const MOVEMENT_ORDER = new Map<string, number>(PROJECT_MOVEMENTS.map((movement, index) => [movement.code, index]))
/** An unknown step sorts after all others of its day, because it is new information. */
const orderOf = (movement: string) => MOVEMENT_ORDER.get(movement) ?? PROJECT_MOVEMENTS.length

export type ProjectStepDates = Pick<ProjectRow, 'draft_published_on' | 'bidding_invited_on' | 'winner_announced_on'>

/**
 * Returns the latest dated step of the announcements, the contracts and the project's own dates; null when nothing is
 * dated.
 */
export function findLatestProjectStep(
  dates: ProjectStepDates,
  contracts: readonly ContractRow[],
  announcements: readonly Pick<AnnouncementRow, 'movement' | 'announced_on'>[],
): { readonly movement: string; readonly on: string } | null {
  let latest: { movement: string; on: string } | null = null
  const see = (movement: string, on: string | null) => {
    if (on === null) return
    if (latest === null || on > latest.on || (on === latest.on && orderOf(movement) > orderOf(latest.movement)))
      latest = { movement, on }
  }
  see('draft_published', dates.draft_published_on)
  see('invited', dates.bidding_invited_on)
  see('winner_announced', dates.winner_announced_on)
  for (const contract of contracts) see('contract_created', contract.signed_on)
  for (const { movement, announced_on } of announcements) see(movement, announced_on)
  return latest
}

export type ProjectStatusFacts = {
  readonly stated: ProjectStatus | undefined
  readonly hasContract: boolean
  readonly latest: { readonly movement: string; readonly on: string } | null
  readonly before: { readonly status: string; readonly movement_on: string | null } | undefined
}

/**
 * Derives the status (D1): a cancellation outranks everything, then a contract. A cancelled project revives only
 * through a later step.
 */
export function deriveProjectStatus({ stated, hasContract, latest, before }: ProjectStatusFacts): string {
  if (stated !== undefined && isCancelledProjectStatus(stated)) return stated
  if (latest !== null && isCancelledProjectStatus(latest.movement)) return latest.movement
  const isStillCancelled =
    stated === undefined &&
    before !== undefined &&
    isCancelledProjectStatus(before.status) &&
    !(latest !== null && before.movement_on !== null && latest.on > before.movement_on)
  if (isStillCancelled) return before.status
  if (hasContract || stated === 'contract_created') return 'contract_created'
  // A source without contract data does not undo a status stated without a listed contract.
  if (stated === undefined && before?.status === 'contract_created') return before.status
  return 'in_progress'
}

export type ProjectMovementFacts = {
  readonly status: string
  readonly latest: { readonly movement: string; readonly on: string } | null
  readonly submission_ends_on: string | null
  readonly winner_name: string | null
  readonly today: string
  readonly contracts: readonly Pick<ContractRow, 'ends_on'>[]
  readonly before: ProjectStep | undefined
}

/**
 * Derives the latest step and its date (D2). Bidding is closed from the day after the submission end while there is no
 * winner; this depends on `today`. A cancellation or contract without a date takes the day of the load that first
 * states it and is marked undated; without a day the project would drop out of every report window.
 */
export function deriveProjectMovement(facts: ProjectMovementFacts): ProjectStep {
  const { status, latest, submission_ends_on, winner_name, today, before } = facts
  if (isCancelledProjectStatus(status) && latest?.movement !== status) return undatedStep(facts, today)
  if (status === 'contract_created' && (latest === null || orderOf(latest.movement) < orderOf('contract_created')))
    return undatedStep(facts, latestSigningDay(facts))
  const isOpen = latest !== null && (latest.movement === 'invited' || latest.movement === 'invitation_amended')
  if (isOpen && winner_name === null && submission_ends_on !== null && submission_ends_on < today)
    return { movement: 'bids_closed', on: submission_ends_on, isUndated: false }
  if (latest !== null) return { ...latest, isUndated: false }
  // The source withdrew the cancellation, so it no longer counts as a step.
  return before === undefined || isCancelledProjectStatus(before.movement)
    ? { movement: '', on: null, isUndated: false }
    : before
}

function undatedStep({ status, before }: ProjectMovementFacts, on: string): ProjectStep {
  // Older versions stored undated steps with a null day, so give them a day now.
  return before?.movement === status && before.on !== null ? before : { movement: status, on, isUndated: true }
}

/**
 * Returns the latest day on which an undated contract can have been signed: today, or its end if that is earlier. For
 * most of the 12,406 real ones the end is long past, so they do not top the report on first import.
 */
function latestSigningDay({ contracts, latest, today, before }: ProjectMovementFacts): string {
  const wasSeenUnsigned = before !== undefined && before.movement !== 'contract_created'
  const earliestEnd = contracts.flatMap(({ ends_on }) => ends_on ?? []).toSorted()[0]
  const isUsable =
    !wasSeenUnsigned &&
    earliestEnd !== undefined &&
    earliestEnd < today &&
    (latest === null || earliestEnd >= latest.on)
  return isUsable ? earliestEnd : today
}

/** Days without movement after the contract before a project counts as delivered (D5). */
export const QUIET_DAYS_BEFORE_ARCHIVE = 180

export type ProjectArchiveFacts = {
  readonly status: string
  readonly statedText: string | undefined
  readonly contracts: readonly ContractRow[]
  readonly movement_on: string | null
  readonly latest: { readonly on: string } | null
  readonly fiscal_year: number | null
  readonly today: string
}

/**
 * Returns true when the project is cancelled, delivered, or quiet for 180 days after the contract (D5). For an undated
 * contract (12,422 of 1.39 million real ones) the quiet period starts at its end, else at the last dated step, else on
 * the last day of the fiscal year.
 */
export function isProjectArchived(facts: ProjectArchiveFacts): boolean {
  const { status, statedText, contracts, today } = facts
  if (isCancelledProjectStatus(status)) return true
  if (status !== 'contract_created') return false
  if (statedText !== undefined && isClosedContractStatus(statedText)) return true
  if (
    contracts.length > 0 &&
    contracts.every((contract) => contract.status !== null && isClosedContractStatus(contract.status))
  )
    return true
  const yearEnd = facts.fiscal_year === null ? null : `${facts.fiscal_year - 543}-09-30`
  const lastEnd = contracts
    .flatMap((contract) => contract.ends_on ?? [])
    .toSorted()
    .at(-1)
  const quietSince = facts.movement_on ?? lastEnd ?? facts.latest?.on ?? yearEnd
  return quietSince !== null && daysBetween(quietSince, today) > QUIET_DAYS_BEFORE_ARCHIVE
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

export function subtractDays(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
}

export type ProjectWinner = {
  readonly name: string | null
  readonly count: number
  readonly satang: number | null
  readonly parties: readonly TenderParty[]
}

/**
 * Returns the winner with the largest contract, the number of distinct winners, and the total; the total is null unless
 * every amount is present.
 */
export function getProjectWinner(contracts: readonly ContractRow[]): ProjectWinner {
  // Counts winners as company statistics do. A masked id does not identify the winner but still counts as one.
  const identities = getTenderPartyKeys(
    contracts.map(({ winner_tin, winner_name }) => ({ taxId: winner_tin, name: winner_name })),
  )
  const winnerIds = contracts.flatMap((contract, index) => identities[index] ?? contract.winner_tin ?? [])
  const won = contracts.filter((contract) => contract.winner_name !== null || contract.winner_tin !== null)
  const byAmount = won.toSorted((a, b) => (b.amount_satang ?? -1) - (a.amount_satang ?? -1) || order(a, b))
  const amounts = contracts.map((contract) => contract.amount_satang)
  const isTotalComplete = amounts.length > 0 && amounts.every((amount) => amount !== null)
  return {
    name: byAmount[0]?.winner_name ?? null,
    count: new Set(winnerIds).size,
    parties: byAmount.map(({ winner_tin, winner_name }) => ({ taxId: winner_tin, name: winner_name })),
    satang: isTotalComplete ? amounts.reduce((sum: number, amount) => sum + (amount ?? 0), 0) : null,
  }
}

const order = (a: ContractRow, b: ContractRow) => (a.contract_no < b.contract_no ? -1 : 1)

/**
 * Returns the winners other than `first`, one per line, or null for none. Names of natural persons are omitted because
 * they are not searchable.
 */
export function formatOtherWinners(first: string | null, parties: readonly TenderParty[]): string | null {
  const identities = getTenderPartyKeys(parties)
  const people = flagPersonalNames(parties, identities)
  const seenIdentities = new Set(parties.flatMap(({ name }, at) => (name === first ? (identities[at] ?? []) : [])))
  const names = parties.flatMap((party, at) => {
    const identity = identities[at]
    if (identity === undefined || seenIdentities.has(identity) || party.name === null || people[at]) return []
    seenIdentities.add(identity)
    return party.name.replace(/\s+/g, ' ').trim()
  })
  return names.length === 0 ? null : names.join('\n')
}
