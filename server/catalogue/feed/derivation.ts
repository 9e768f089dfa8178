import { identitiesOf, naturalPeopleAmong } from '#contract/catalogue/company-name.ts'
import type { NamedParty } from '#contract/catalogue/natural-person.ts'
import { isCancelled, PROJECT_MOVEMENTS, type ProjectStatus } from '#contract/catalogue/project.ts'
import { isClosedStatus } from '#server/platform/text/contract-status.ts'
import type { AnnouncementRow, ContractRow, ProjectRow } from './project-row.ts'

/** Facts that no source states and that follow from stated ones: status (D1), movement (D2), archived (D5), winner, fiscal year (D15). */

/** `isUndated`: no source dates the step; `on` is the latest day on which it can have happened. */
export type Step = { readonly movement: string; readonly on: string | null; readonly isUndated: boolean }

const ORDER = new Map<string, number>(PROJECT_MOVEMENTS.map((movement, index) => [movement.code, index]))
/** A step that the catalogue does not know counts as later than the known ones of its day: it is news. */
const orderOf = (movement: string) => ORDER.get(movement) ?? PROJECT_MOVEMENTS.length

/** Dates of a project that stand for an announcement, and the contracts. */
export type StepDates = Pick<ProjectRow, 'draft_published_on' | 'bidding_invited_on' | 'winner_announced_on'>

/** The latest dated step: announcements seen, and those that the project's dates imply. Null when nothing is dated. */
export function latestStep(
  dates: StepDates,
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

export type StatusFacts = {
  /** Status that the source states now; undefined when it says none. */
  readonly stated: ProjectStatus | undefined
  readonly hasContract: boolean
  readonly latest: { readonly movement: string; readonly on: string } | null
  /** As stored before; undefined for a new project. */
  readonly before: { readonly status: string; readonly movement_on: string | null } | undefined
}

/** D1. A cancellation counts over everything; then a contract; a project once cancelled revives only by a later step. */
export function statusOf({ stated, hasContract, latest, before }: StatusFacts): string {
  if (stated !== undefined && isCancelled(stated)) return stated
  if (latest !== null && isCancelled(latest.movement)) return latest.movement
  const isStillCancelled =
    stated === undefined &&
    before !== undefined &&
    isCancelled(before.status) &&
    !(latest !== null && before.movement_on !== null && latest.on > before.movement_on)
  if (isStillCancelled) return before.status
  if (hasContract || stated === 'contract_created') return 'contract_created'
  // A contract that was stated without being listed is not forgotten by a source that knows none.
  if (stated === undefined && before?.status === 'contract_created') return before.status
  return 'in_progress'
}

export type MovementFacts = {
  readonly status: string
  readonly latest: { readonly movement: string; readonly on: string } | null
  readonly submission_ends_on: string | null
  readonly winner_name: string | null
  readonly today: string
  readonly contracts: readonly Pick<ContractRow, 'ends_on'>[]
  readonly before: Step | undefined
}

/**
 * D2: the latest step, with its date. Bids are closed from the day after the submission end on, while no winner is known
 * (derived, so it depends on `today`). A cancellation or a contract known by the status alone is dated by the load that first
 * states it, as undated: without a day the project would leave every report window.
 */
export function movementOf(facts: MovementFacts): Step {
  const { status, latest, submission_ends_on, winner_name, today, before } = facts
  if (isCancelled(status) && latest?.movement !== status) return undatedStep(facts, today)
  if (status === 'contract_created' && (latest === null || orderOf(latest.movement) < orderOf('contract_created')))
    return undatedStep(facts, latestSigning(facts))
  const isOpen = latest !== null && (latest.movement === 'invited' || latest.movement === 'invitation_amended')
  if (isOpen && winner_name === null && submission_ends_on !== null && submission_ends_on < today)
    return { movement: 'bids_closed', on: submission_ends_on, isUndated: false }
  if (latest !== null) return { ...latest, isUndated: false }
  // A cancellation that the source takes back is no step any more.
  return before === undefined || isCancelled(before.movement) ? { movement: '', on: null, isUndated: false } : before
}

function undatedStep({ status, before }: MovementFacts, on: string): Step {
  // Rows written before undated steps had a day have none yet.
  return before?.movement === status && before.on !== null ? before : { movement: status, on, isUndated: true }
}

/**
 * The latest day on which an undated contract can have been signed: today, or its end, which is long ago for most of the 12,406 real ones
 * and keeps them from the top of the report when they are first imported.
 */
function latestSigning({ contracts, latest, today, before }: MovementFacts): string {
  const wasSeenUnsigned = before !== undefined && before.movement !== 'contract_created'
  const end = contracts.flatMap(({ ends_on }) => ends_on ?? []).toSorted()[0]
  const isUsable = !wasSeenUnsigned && end !== undefined && end < today && (latest === null || end >= latest.on)
  return isUsable ? end : today
}

/** Days without a movement after the contract until a project counts as delivered (D5). */
export const QUIET_DAYS = 180

export type ArchiveFacts = {
  readonly status: string
  /** e-GP's text as stated now; undefined when the source says none. */
  readonly statedText: string | undefined
  readonly contracts: readonly ContractRow[]
  readonly movement_on: string | null
  readonly latest: { readonly on: string } | null
  readonly fiscal_year: number | null
  readonly today: string
}

/**
 * D5: cancelled, or delivered, or quiet for 180 days after the contract. An undated contract (12,422 of 1.39 million real ones)
 * counts from its end, else from the last step known, else from its fiscal year's last day.
 */
export function isArchived(facts: ArchiveFacts): boolean {
  const { status, statedText, contracts, today } = facts
  if (isCancelled(status)) return true
  if (status !== 'contract_created') return false
  if (statedText !== undefined && isClosedStatus(statedText)) return true
  if (
    contracts.length > 0 &&
    contracts.every((contract) => contract.status !== null && isClosedStatus(contract.status))
  )
    return true
  const yearEnd = facts.fiscal_year === null ? null : `${facts.fiscal_year - 543}-09-30`
  const lastEnd = contracts
    .flatMap((contract) => contract.ends_on ?? [])
    .toSorted()
    .at(-1)
  const quietSince = facts.movement_on ?? lastEnd ?? facts.latest?.on ?? yearEnd
  return quietSince !== null && daysBetween(quietSince, today) > QUIET_DAYS
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

/** ISO day that lies `days` before `day`. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
}

export type Winner = {
  readonly name: string | null
  readonly count: number
  readonly satang: number | null
  /** Who won a contract, the largest contract first. */
  readonly parties: readonly NamedParty[]
}

/** Winner with the largest contract, number of different winners, and the sum of the amounts, null unless every amount is known. */
export function winnerOf(contracts: readonly ContractRow[]): Winner {
  // Counted like the companies' wins. A masked id says nothing about who it is, but that there is somebody.
  const identities = identitiesOf(
    contracts.map(({ winner_tin, winner_name }) => ({ taxId: winner_tin, name: winner_name })),
  )
  const known = contracts.flatMap((contract, index) => identities[index] ?? contract.winner_tin ?? [])
  const won = contracts.filter((contract) => contract.winner_name !== null || contract.winner_tin !== null)
  const byAmount = won.toSorted((a, b) => (b.amount_satang ?? -1) - (a.amount_satang ?? -1) || order(a, b))
  const amounts = contracts.map((contract) => contract.amount_satang)
  const isSumKnown = amounts.length > 0 && amounts.every((amount) => amount !== null)
  return {
    name: byAmount[0]?.winner_name ?? null,
    count: new Set(known).size,
    parties: byAmount.map(({ winner_tin, winner_name }) => ({ taxId: winner_tin, name: winner_name })),
    satang: isSumKnown ? amounts.reduce((sum: number, amount) => sum + (amount ?? 0), 0) : null,
  }
}

const order = (a: ContractRow, b: ContractRow) => (a.contract_no < b.contract_no ? -1 : 1)

/** Names of the winners beside `first`, one a line; null: none. Natural persons are left out: nobody finds them by a name. */
export function otherWinners(first: string | null, parties: readonly NamedParty[]): string | null {
  const identities = identitiesOf(parties)
  const people = naturalPeopleAmong(parties, identities)
  const seen = new Set(parties.flatMap(({ name }, at) => (name === first ? (identities[at] ?? []) : [])))
  const names = parties.flatMap((party, at) => {
    const identity = identities[at]
    if (identity === undefined || seen.has(identity) || party.name === null || people[at]) return []
    seen.add(identity)
    return party.name.replace(/\s+/g, ' ').trim()
  })
  return names.length === 0 ? null : names.join('\n')
}
