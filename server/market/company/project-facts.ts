import { flagNaturalPersons, getTenderPartyKeys } from '#contract/catalogue/company-name.ts'
import { isCancelledProjectStatus } from '#contract/catalogue/project.ts'
import {
  type DerivationBidder,
  type DerivationContract,
  type DerivationProject,
  sumContractAmounts,
} from '#server/catalogue/feed/written-projects.ts'
import { isClosedContractStatus } from '#server/platform/text/contract-status.ts'

export type CompanyFact = {
  readonly key: string
  readonly tax_id: string | null
  /** Spelling of the company's name in the project; null when the project has only the tax id. */
  readonly name: string | null
  readonly project_id: string
  readonly department_id: number
  readonly fiscal_year: number | null
  readonly project_province: number | null
  readonly method: string
  readonly method_type: string
  readonly criteria: string
  readonly coverage: number
  readonly is_winner: boolean
  readonly is_decided: boolean
  readonly contracts: number
  readonly value_satang: number | null
  readonly bid_satang: number | null
  readonly reference_satang: number | null
  readonly discount_base_satang: number | null
  readonly is_against_budget: boolean
  readonly decided_on: string | null
  readonly happened_on: string | null
  readonly is_sme: boolean | null
  readonly contract_amounts: readonly (number | null)[]
  readonly open_until: readonly (string | null)[]
}

export type DerivedSpending = Pick<
  CompanyFact,
  'project_id' | 'department_id' | 'fiscal_year' | 'project_province' | 'method' | 'method_type'
> & { readonly spent_satang: number | null }

const NO_END = 'infinity'

type ProjectParty = {
  readonly key: string
  readonly names: string[]
  readonly isPerson: boolean
  readonly contracts: DerivationContract[]
  bid: DerivationBidder | undefined
}

/** Derives company facts and spending from one project. Pure, so that stored results depend on the project alone. */
export function deriveProjectFacts(project: DerivationProject): {
  readonly facts: readonly CompanyFact[]
  readonly spending: DerivedSpending | undefined
} {
  const { contracts, bidders } = project
  // A withdrawn announcement has no winner, unless there is a contract.
  const isWithdrawn =
    isCancelledProjectStatus(project.status) || (contracts.length === 0 && project.movement === 'winner_cancelled')
  const { parties, winners, isComplete } = partiesOf(project)
  const isDecided = !isWithdrawn && (contracts.length > 0 || winners.size > 0)
  const decidedOn = isDecided ? decidedDay(project) : null
  const soleWinner = isDecided && isComplete && winners.size === 1 ? [...winners][0] : undefined
  const facts = parties
    .filter(({ key, isPerson, bid }) => !isPerson && (bid !== undefined || (isDecided && winners.has(key))))
    .map((party): CompanyFact => {
      const isWinner = isDecided && winners.has(party.key)
      const won = isWinner ? awardedTo(party, project, party.key === soleWinner) : NO_AWARD
      return {
        key: party.key,
        tax_id: party.key.startsWith('t:') ? party.key.slice(2) : null,
        name: party.names[0] ?? null,
        ...placeOf(project),
        criteria: project.criteria,
        coverage: coverageOf(bidders),
        is_winner: isWinner,
        is_decided: isDecided,
        ...won,
        bid_satang: party.bid?.price_satang ?? null,
        reference_satang: aboveZero(project.estimate_satang),
        decided_on: decidedOn,
        happened_on: decidedOn ?? seenOn(project),
        is_sme: party.bid?.is_sme ?? null,
      }
    })
  return { facts, spending: isDecided ? { ...placeOf(project), spent_satang: spentSatang(project) } : undefined }
}

const decidedDay = ({ winner_announced_on, contract_signed_on, contracts }: DerivationProject) =>
  winner_announced_on ??
  contract_signed_on ??
  contracts.flatMap(({ signed_on }) => signed_on ?? []).toSorted()[0] ??
  null

const seenOn = (project: DerivationProject) =>
  project.submission_ends_on ??
  project.bidding_invited_on ??
  (project.is_movement_undated ? null : project.movement_on) ??
  project.draft_published_on

const placeOf = (project: DerivationProject) => ({
  project_id: project.project_id,
  department_id: project.department_id,
  fiscal_year: project.fiscal_year,
  project_province: project.project_province,
  method: project.method,
  method_type: project.method_type,
})

const aboveZero = (satang: number | null) => (satang !== null && satang > 0 ? satang : null)
/**
 * Returns 0 if only winners are known, 1 if some bidder has no price, 2 if all prices are known. The project page uses
 * the same levels.
 */
const coverageOf = (bidders: readonly DerivationBidder[]) =>
  bidders.length === 0 ? 0 : bidders.every(({ price_satang }) => price_satang !== null) ? 2 : 1

/**
 * Returns every company of a project, deduplicated. Winners are the companies with a contract; without contracts, the
 * bidders marked as winners, else the announced name. `isComplete` is false when only some contracts name a winner,
 * because there may be another winner.
 */
function partiesOf({ contracts, bidders, winner_name }: DerivationProject) {
  const mentions = [
    ...contracts.map((contract) => ({ taxId: contract.winner_tin, name: contract.winner_name })),
    ...bidders.map((bidder) => ({ taxId: bidder.tin, name: bidder.name })),
    { taxId: null, name: winner_name },
  ]
  const identities = getTenderPartyKeys(mentions)
  const people = flagNaturalPersons(mentions, identities)
  const parties = new Map<string, ProjectParty>()
  for (const [index, key] of identities.entries()) {
    if (key === undefined) continue
    const existing = parties.get(key)
    const party = existing ?? { key, names: [], isPerson: people[index]!, contracts: [], bid: undefined }
    if (existing === undefined) parties.set(key, party)
    if (mentions[index]!.name !== null) party.names.push(mentions[index]!.name)
    if (index < contracts.length) party.contracts.push(contracts[index]!)
    else party.bid ??= bidders[index - contracts.length]
  }
  const signed = identities.slice(0, contracts.length)
  const marked = bidders.flatMap(({ is_winner }, index) =>
    is_winner ? (identities[contracts.length + index] ?? []) : [],
  )
  const announced = [signed.filter((key) => key !== undefined), marked, identities.slice(-1)].find((keys) =>
    keys.some((key) => key !== undefined),
  )
  const winners = new Set(announced?.filter((key) => key !== undefined))
  const isComplete = signed.every((key) => key !== undefined) || signed.every((key) => key === undefined)
  return { parties: [...parties.values()], winners, isComplete }
}

type AwardedPart = Pick<
  CompanyFact,
  'contracts' | 'value_satang' | 'discount_base_satang' | 'is_against_budget' | 'contract_amounts' | 'open_until'
>
const NO_AWARD: AwardedPart = {
  contracts: 0,
  value_satang: null,
  discount_base_satang: null,
  is_against_budget: false,
  contract_amounts: [],
  open_until: [],
}

/**
 * Computes the amount awarded to a winner: the sum of its contracts or, if their amounts are unknown (41,510 of 53,736
 * real rows), the project's price, provided that this company is the only winner. The discount (D20) needs a single
 * winner and the whole price: 421 real projects have more contracts than the file lists, with unknown winners.
 */
function awardedTo({ contracts }: ProjectParty, project: DerivationProject, isSole: boolean): AwardedPart {
  const sum = sumContractAmounts(contracts)
  const value = sum ?? (isSole ? project.winner_satang : null)
  const isWhole = isSole && value !== null && (project.winner_satang ?? value) === value
  const isAgainstBudget = project.estimate_satang === null
  const base = isWhole ? aboveZero(isAgainstBudget ? project.budget_satang : project.estimate_satang) : null
  return {
    contracts: contracts.length,
    value_satang: value,
    discount_base_satang: base,
    is_against_budget: base !== null && isAgainstBudget,
    contract_amounts: contracts.length === 1 ? [value] : contracts.map(({ amount_satang }) => amount_satang),
    open_until: contracts.map(({ ends_on, status }) =>
      status !== null && isClosedContractStatus(status) ? null : (ends_on ?? (project.is_archived ? null : NO_END)),
    ),
  }
}

/**
 * Returns what the state spent on the project. Follows the same rule as company wins, so that no company's part exceeds
 * the total.
 */
function spentSatang({ contracts, winner_satang }: DerivationProject): number | null {
  const sum = sumContractAmounts(contracts)
  if (sum !== null) return sum
  const amounts = contracts.flatMap(({ amount_satang }) => amount_satang ?? [])
  if (amounts.length === 0) return winner_satang
  return Math.max(
    winner_satang ?? 0,
    amounts.reduce((a, b) => a + b, 0),
  )
}
