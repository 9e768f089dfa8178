import sql from 'sql-template-tag'
import { buildCompanyKeyFromName, flagNaturalPersons, getCompanyKey } from '#contract/catalogue/company-name.ts'
import { loadLocalBodyLookup } from '#server/market/who-wins/bodies-for-tests.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Company wins and project costs, recomputed row by row from the tables `projects`, `contracts`, `bidders` and
 * `departments` alone. No stored figure, query or counting function of the product is used; only the rules that map
 * names to companies are shared. Money is whole satang.
 */
export type RawFact = {
  readonly company: string
  readonly project: RawProject
  readonly coverage: 0 | 1 | 2
  readonly won: boolean
  readonly value: number | null
  readonly bid: number | null
  readonly isSme: boolean | null
  /** Base price of the discount, set only if this company was the sole winner and the whole price is known. */
  readonly base: number | null
  readonly onBudget: boolean
  readonly contracts: readonly RawContract[]
  /**
   * True if a contract of this company was ended early, or a contract without a tax id in a project that no other
   * company won.
   */
  readonly terminated: boolean
}
export type RawProject = {
  readonly id: string
  readonly unit: number
  readonly dept: string
  readonly sub: string
  readonly deptProvince: number | null
  /** Key of the purchasing body, shared by all its departments. */
  readonly body: string
  readonly year: number
  readonly province: number
  readonly method: string
  readonly type: string
  readonly criteria: string
  readonly archived: boolean
  readonly budget: number | null
  readonly estimate: number | null
  readonly invited: string | null
  readonly signed: string | null
  readonly hasTerminated: boolean
  readonly decided: boolean
  readonly decidedOn: string | null
  /** `decidedOn`, or else the latest of the other dates. */
  readonly seenOn: string | null
  readonly spent: number | null
  /** True if an import left out a price as doubtful, even if another source has stated a price since. */
  readonly hasDoubt: boolean
}
type RawContract = {
  readonly tin: string | null
  readonly name: string | null
  readonly amount: number | null
  readonly signed: string | null
  readonly ends: string | null
  readonly status: string | null
}
type RawBidder = {
  readonly tin: string | null
  readonly name: string
  readonly price: number | null
  readonly won: boolean
  readonly isSme: boolean | null
}
type Row = Omit<RawProject, 'body' | 'hasTerminated' | 'decided' | 'decidedOn' | 'seenOn' | 'spent'> & {
  readonly status: string
  readonly movement: string
  readonly winning: number | null
  readonly winner: string | null
  readonly announced: string | null
  readonly seen: string | null
}
type Of<T> = T & { readonly id: string }

export type RawYear = {
  readonly facts: readonly RawFact[]
  readonly projects: ReadonlyMap<string, RawProject>
}

const PROJECTS_A_SLICE = 20_000
const TERMINATED = 'ยกเลิกสัญญา'
const FINISHED = ['แล้วเสร็จตามสัญญา', 'สิ้นสุดสัญญา', 'ส่งงานครบถ้วน', TERMINATED]
export const isClosedContract = ({ status }: RawContract): boolean =>
  status !== null && FINISHED.includes(status.trim())

export async function readRawYear(db: Db, onSlice: (projects: number) => void = () => undefined): Promise<RawYear> {
  const facts: RawFact[] = []
  const projects = new Map<string, RawProject>()
  const bodyOf = await loadLocalBodyLookup(db)
  let after = ''
  for (;;) {
    const rows: Row[] = await db.query<Row>(sql`
      select p.project_id as id, p.department_id as unit, d.name as dept, d.sub_name as sub, d.province as "deptProvince",
        coalesce(p.fiscal_year, 0)::int as year, coalesce(p.project_province, 0)::int as province, p.method, p.method_type as type, p.criteria,
        p.is_archived as archived, p.budget_satang as budget, p.estimate_satang as estimate, p.bidding_invited_on as invited,
        p.contract_signed_on as signed, p.status, p.movement, p.winner_satang as winning, p.winner_name as winner, p.winner_announced_on as announced,
        exists (select from project_doubts u, jsonb_array_elements(u.doubts) d where u.project_id = p.project_id
          and d ->> 'kind' like 'amount%' and d ->> 'field' ~ '^(ราคาตกลง|ราคาที่ตกลง|งบสัญญา)') as "hasDoubt",
        coalesce(p.submission_ends_on, p.bidding_invited_on, case when not p.is_movement_undated then p.movement_on end, p.draft_published_on) as seen
      from projects p join departments d on d.id = p.department_id
      where p.project_id > ${after}::text order by p.project_id limit ${PROJECTS_A_SLICE}::int`)
    if (rows.length === 0) return { facts, projects }
    const [first, last] = [rows[0]!.id, rows.at(-1)!.id]
    const contracts = await db.query<Of<RawContract>>(sql`
      select c.project_id as id, c.winner_tin as tin, c.winner_name as name, c.amount_satang as amount, c.signed_on as signed, c.ends_on as ends, c.status
      from contracts c where c.project_id between ${first}::text and ${last}::text order by c.project_id, c.contract_no collate "C"`)
    const bidders = await db.query<Of<RawBidder>>(sql`
      select b.project_id as id, b.tin, b.name, b.price_satang as price, b.is_winner as won, b.is_sme as "isSme"
      from bidders b where b.project_id between ${first}::text and ${last}::text order by b.project_id, b.position`)
    const [signed, bid] = [Map.groupBy(contracts, ({ id }) => id), Map.groupBy(bidders, ({ id }) => id)]
    for (const row of rows) {
      const { project, of } = recount(row, bodyOf(row), signed.get(row.id) ?? [], bid.get(row.id) ?? [])
      projects.set(row.id, project)
      for (const fact of of) facts.push(fact)
    }
    onSlice(projects.size)
    after = last
  }
}

/**
 * Returns the company key of each party in row order, and the companies that have at least one name which is not a
 * person's.
 */
function partiesOf(contracts: readonly RawContract[], bidders: readonly RawBidder[], winner: string | null) {
  const named = [
    ...contracts.map(({ tin, name }) => ({ taxId: tin, name })),
    ...bidders.map(({ tin, name }) => ({ taxId: tin, name })),
    { taxId: null, name: winner },
  ]
  // A name without a tax id counts as the company that has the same name and a tax id in this project.
  const idOfName = new Map<string, string>()
  const keys = named.map(getCompanyKey)
  for (const [at, { name }] of named.entries()) {
    const same = buildCompanyKeyFromName(name)
    if (keys[at]?.startsWith('t:') && same !== undefined && !idOfName.has(same)) idOfName.set(same, keys[at])
  }
  const partyKeys = keys.map((key) => (key === undefined ? undefined : (idOfName.get(key) ?? key)))
  const people = flagNaturalPersons(named, partyKeys)
  const companies = new Set(partyKeys.flatMap((key, at) => (key === undefined || people[at] ? [] : key)))
  return { who: partyKeys, companies }
}

/** Returns the sum, or null unless all amounts are known. */
const total = (amounts: readonly (number | null)[]) =>
  amounts.length === 0 || amounts.includes(null) ? null : amounts.reduce<number>((sum, amount) => sum + amount!, 0)

function recount(row: Row, body: string, contracts: readonly RawContract[], bidders: readonly RawBidder[]) {
  const { who: partyKeys, companies } = partiesOf(contracts, bidders, row.winner)
  const ofContracts = partyKeys.slice(0, contracts.length)
  const ofBidders = partyKeys.slice(contracts.length, -1)
  const isCancelled =
    ['project_cancelled', 'invitation_cancelled'].includes(row.status) ||
    (contracts.length === 0 && row.movement === 'winner_cancelled')
  // The winner is the company of the contract; without one, the bidder marked as winner; without either, the announced
  // name.
  const marked = ofBidders.filter((key, at) => bidders[at]!.won && key !== undefined)
  const declaredWinners = ofContracts.some((key) => key !== undefined)
    ? ofContracts
    : marked.length > 0
      ? marked
      : partyKeys.slice(-1)
  const winners = new Set(declaredWinners.filter((key) => key !== undefined))
  const decided = !isCancelled && (contracts.length > 0 || winners.size > 0)
  const knownAmounts = contracts.flatMap(({ amount }) => amount ?? [])
  const sum = knownAmounts.reduce((a, b) => a + b, 0)
  const contractTotal = total(contracts.map(({ amount }) => amount))
  const decidedOn = decided
    ? (row.announced ?? row.signed ?? contracts.flatMap(({ signed }) => signed ?? []).toSorted()[0] ?? null)
    : null
  const { status: _, movement: __, winning, winner: ___, announced: ____, seen, ...baseFields } = row
  const project: RawProject = {
    ...baseFields,
    body,
    hasTerminated: contracts.some(({ status }) => status === TERMINATED),
    decided,
    decidedOn,
    seenOn: decidedOn ?? seen,
    spent: decided ? (contractTotal ?? (knownAmounts.length === 0 ? winning : Math.max(winning ?? 0, sum))) : null,
  }
  const isSoleWinner =
    winners.size === 1 && (ofContracts.every((key) => key !== undefined) || !ofContracts.some((key) => key))
  const isOnly = [...companies].filter((company) => winners.has(company)).length === 1
  const of = [...companies].flatMap((company): RawFact[] => {
    const bid = bidders.find((_bidder, at) => ofBidders[at] === company)
    const won = decided && winners.has(company)
    if (!won && bid === undefined) return []
    const wonContracts = won ? contracts.filter((_contract, at) => ofContracts[at] === company) : []
    const value = won ? (total(wonContracts.map(({ amount }) => amount)) ?? (isSoleWinner ? winning : null)) : null
    const against = row.estimate ?? row.budget
    const isMeasured =
      won && isSoleWinner && value !== null && (winning ?? value) === value && against !== null && against > 0
    return [
      {
        company,
        project,
        coverage: bidders.length === 0 ? 0 : bidders.some(({ price }) => price === null) ? 1 : 2,
        won,
        value,
        bid: bid?.price ?? null,
        isSme: bid?.isSme ?? null,
        base: isMeasured ? against : null,
        onBudget: isMeasured && row.estimate === null,
        contracts: wonContracts,
        terminated:
          won &&
          contracts.some(
            ({ status, tin }, at) =>
              status === TERMINATED &&
              (ofContracts[at] === company || (getCompanyKey({ taxId: tin, name: null }) === undefined && isOnly)),
          ),
      },
    ]
  })
  return { project, of }
}
