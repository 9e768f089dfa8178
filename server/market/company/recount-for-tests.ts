import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Reference implementation of the derived company tables, computed naively from projects, contracts and bidders without
 * production code: one pass over all projects per query. The test supplies the identities.
 */

/** Maps each spelling to an identity by name alone; people map to 'person'. */
export type CompanyIdentityBySpelling = ReadonlyMap<string, string>

type Contract = {
  tin: string | null
  name: string | null
  amount: number | null
  ends: string | null
  status: string | null
  signed: string | null
}
type Bidder = { tin: string | null; name: string; price: number | null; is_winner: boolean; is_sme: boolean | null }
type Project = {
  id: string
  department: number
  dept_name: string
  year: number | null
  province: number | null
  method: string
  type: string
  criteria: string
  status: string
  movement: string
  archived: boolean
  budget: number | null
  estimate: number | null
  winning: number | null
  winner: string | null
  announced: string | null
  signed: string | null
  seen: string | null
  contracts: Contract[]
  bidders: Bidder[]
}
type Fact = {
  company: string
  project: Project
  spelled: string | null
  won: boolean
  decided: boolean
  value: number | null
  coverage: number
  bid: number | null
  base: number | null
  onBudget: boolean
  on: string | null
  happened: string | null
  sme: boolean | null
  amounts: (number | null)[]
  open: (string | null)[]
}

export type DerivedCompanyTables = Record<'companies' | 'names' | 'facts' | 'figures' | 'slices' | 'spending', string[]>

export async function loadDerivedCompanyTables(db: Db): Promise<DerivedCompanyTables> {
  const lines = async (text: string) => {
    const rows = await db.query<{ line: string }>(sql([text]))
    return rows.map((row) => row.line).sort(inOrder)
  }
  const share = (column: string) => `coalesce(round(${column}::numeric, 8)::text, '-')`
  const joined = (...parts: string[]) =>
    `select concat_ws(' ', ${parts.map((part) => `coalesce((${part})::text, '-')`).join(', ')}) as line`
  const value = (column: string) => `(select v.value from match_values v where v.id = ${column})`
  return {
    companies: await lines(`${joined('key', 'tax_id', 'name', 'is_sme', 'is_stale')} from companies`),
    names: await lines(
      `${joined('c.key', 'n.name', 'n.uses')} from company_names n join companies c on c.id = n.company_id`,
    ),
    facts: await lines(
      `${joined('c.key', 'f.project_id', 'n.name', 'f.department_id', 'f.fiscal_year', 'f.project_province', value('f.method'), value('f.method_type'), value('f.criteria'), 'f.coverage', 'f.is_winner', 'f.is_decided', 'f.contracts', 'f.value_satang', 'f.bid_satang', 'f.reference_satang', 'f.discount_base_satang', 'f.is_against_budget', 'f.decided_on', 'f.happened_on', 'f.is_sme', 'f.contract_amounts', 'f.open_until')}
       from company_projects f join companies c on c.id = f.company_id left join company_names n on n.id = f.name_id`,
    ),
    figures: await lines(
      `${joined('c.key', 'f.fiscal_year', 'f.projects', 'f.wins', 'f.value_satang', 'f.bids', 'f.bids_decided', 'f.bids_won', 'f.discount_n', 'f.discount_base_satang', 'f.discount_saved_satang', share('f.discount_median'), 'f.departments', value('f.top_method'), 'f.last_win_on', 'f.coverage_full', 'f.coverage_names', 'f.coverage_winner')}
       from company_figures f join companies c on c.id = f.company_id`,
    ),
    slices: await lines(
      `${joined('c.key', 'f.fiscal_year', value('f.method'), value('f.method_type'), 'f.project_province', 'f.projects', 'f.wins', 'f.value_satang', 'f.bids', 'f.bids_decided', 'f.bids_won', 'f.discount_n', 'f.discount_base_satang', 'f.discount_saved_satang', 'f.last_win_on', 'f.coverage_full', 'f.coverage_names', 'f.coverage_winner')}
       from company_slices f join companies c on c.id = f.company_id`,
    ),
    spending: await lines(
      `${joined('f.department_id', 'f.fiscal_year', value('f.method'), value('f.method_type'), 'f.project_province', 'f.projects', 'f.spent_satang')} from department_spending f`,
    ),
  }
}

export async function recomputeDerivedCompanyTables(
  db: Db,
  identities: CompanyIdentityBySpelling,
): Promise<DerivedCompanyTables> {
  const projects = await readProjects(db)
  const methods = await db.query<{ id: number; value: string }>(
    sql`select id, value from match_values where kind = 'method'`,
  )
  const numberOf = new Map(methods.map(({ id, value }) => [value, id]))
  const facts: Fact[] = []
  const spent: { project: Project; satang: number | null }[] = []
  for (const project of projects) {
    const counted = recountProject(project, identities)
    facts.push(...counted.facts)
    if (counted.isDecided) spent.push({ project, satang: counted.spent })
  }
  const tables: DerivedCompanyTables = { companies: [], names: [], facts: [], figures: [], slices: [], spending: [] }
  for (const [company, companyFacts] of Map.groupBy(facts, (fact) => fact.company)) {
    const uses = new Map<string, number>()
    for (const { spelled } of companyFacts) if (spelled !== null) uses.set(spelled, (uses.get(spelled) ?? 0) + 1)
    const [mostUsed] = [...uses].sort(([a, n], [b, m]) => m - n || Buffer.compare(Buffer.from(a), Buffer.from(b)))
    const newestSme = companyFacts
      .filter((fact) => fact.sme !== null)
      .sort((a, b) => later(b.happened, a.happened) || (a.project.id < b.project.id ? 1 : -1))[0]
    const taxId = company.startsWith('t:') ? company.slice(2) : null
    tables.companies.push(line(company, taxId, mostUsed?.[0] ?? taxId, newestSme?.sme ?? null, false))
    for (const [name, count] of uses) tables.names.push(line(company, name, count))
    const years = new Set(companyFacts.flatMap(({ project }) => project.year ?? []))
    for (const year of [0, ...years]) {
      const of = companyFacts.filter(({ project }) => year === 0 || project.year === year)
      tables.figures.push(line(company, year, ...figuresOf(of, numberOf)))
    }
    const slices = Map.groupBy(companyFacts, ({ project: p }) => line(p.year ?? 0, p.method, p.type, p.province ?? 0))
    for (const [slice, of] of slices) tables.slices.push(`${company} ${slice} ${line(...sliceOf(of))}`)
  }
  for (const fact of facts) tables.facts.push(factLine(fact))
  const spendingGroups = Map.groupBy(spent, ({ project: p }) =>
    line(p.department, p.year ?? 0, p.method, p.type, p.province ?? 0),
  )
  for (const [key, of] of spendingGroups)
    tables.spending.push(`${key} ${line(of.length, total(of.map(({ satang }) => satang)))}`)
  for (const lines of Object.values(tables)) lines.sort(inOrder)
  return tables
}

const line = (...parts: readonly unknown[]) => parts.map((part) => part ?? '-').join(' ')
const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const later = (a: unknown, b: unknown) =>
  String(a ?? '') > String(b ?? '') ? 1 : String(a ?? '') < String(b ?? '') ? -1 : 0
const total = (amounts: readonly (number | null)[]) =>
  amounts.some((amount) => amount !== null) ? amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0) : null

const isCompanyTin = (tin: string | null) => tin !== null && /^0\d{12}$/.test(tin) && Number(tin) > 0

function recountProject(p: Project, identities: CompanyIdentityBySpelling) {
  const mentions = [
    ...p.contracts.map(({ tin, name }) => ({ tin, name })),
    ...p.bidders.map(({ tin, name }) => ({ tin, name })),
    { tin: null, name: p.winner },
  ]
  const idOf = (tin: string | null, name: string | null): string | null => {
    if (isCompanyTin(tin)) return `t:${tin}`
    if (name === null) return null
    const itself = identities.get(name)!
    const namesake = mentions.find(
      (mention) => isCompanyTin(mention.tin) && mention.name !== null && identities.get(mention.name) === itself,
    )
    return namesake ? `t:${namesake.tin}` : itself
  }
  const cancelled =
    p.status === 'project_cancelled' ||
    p.status === 'invitation_cancelled' ||
    (p.contracts.length === 0 && p.movement === 'winner_cancelled')
  const bySignature = p.contracts.map(({ tin, name }) => idOf(tin, name))
  const byMark = p.bidders.filter((bidder) => bidder.is_winner).map(({ tin, name }) => idOf(tin, name))
  const winners = new Set(
    bySignature.some((id) => id !== null)
      ? bySignature
      : byMark.length > 0
        ? byMark
        : p.winner === null
          ? []
          : [idOf(null, p.winner)],
  )
  const unnamed = winners.has(null)
  winners.delete(null)
  const isDecided = !cancelled && (p.contracts.length > 0 || winners.size > 0)
  const decided = isDecided
    ? (p.announced ?? p.signed ?? p.contracts.flatMap(({ signed }) => signed ?? []).sort()[0] ?? null)
    : null
  const sums = p.contracts.map(({ amount }) => amount)
  const all = (amounts: readonly (number | null)[]) =>
    amounts.length > 0 && !amounts.includes(null) ? total(amounts) : null
  const facts: Fact[] = []
  const people = new Set(mentions.flatMap(({ tin, name }) => (tin?.startsWith('p:') ? (idOf(tin, name) ?? []) : [])))
  const everybody = new Set(mentions.map(({ tin, name }) => idOf(tin, name)))
  for (const id of everybody) {
    if (id === null || id.startsWith('person') || (people.has(id) && !id.startsWith('t:'))) continue
    const bid = p.bidders.find(({ tin, name }) => idOf(tin, name) === id)
    const won = isDecided && winners.has(id)
    if (bid === undefined && !won) continue
    const wonContracts = won ? p.contracts.filter(({ tin, name }) => idOf(tin, name) === id) : []
    const isSoleWinner = winners.size === 1 && !unnamed
    const value = won ? (all(wonContracts.map(({ amount }) => amount)) ?? (isSoleWinner ? p.winning : null)) : null
    const hasWholePrice = won && isSoleWinner && value !== null && (p.winning === null || p.winning === value)
    const base = p.estimate ?? p.budget
    const isMeasured = hasWholePrice && base !== null && base > 0
    facts.push({
      company: id,
      project: p,
      spelled: mentions.find(({ tin, name }) => name !== null && idOf(tin, name) === id)?.name ?? null,
      won,
      decided: isDecided,
      value,
      coverage: p.bidders.length === 0 ? 0 : p.bidders.some(({ price }) => price === null) ? 1 : 2,
      bid: bid?.price ?? null,
      base: isMeasured ? base : null,
      onBudget: isMeasured && p.estimate === null,
      on: decided,
      happened: decided ?? p.seen,
      sme: bid?.is_sme ?? null,
      amounts: wonContracts.length === 1 ? [value] : wonContracts.map(({ amount }) => amount),
      open: wonContracts.map(({ ends, status }) =>
        status === 'สิ้นสุดสัญญา' ? null : (ends ?? (p.archived ? null : 'infinity')),
      ),
    })
  }
  const spent =
    all(sums) ?? (sums.some((amount) => amount !== null) ? Math.max(p.winning ?? 0, total(sums)!) : p.winning)
  return { facts, isDecided, spent }
}

const array = (items: unknown) => `{${(items as readonly unknown[]).map((item) => item ?? 'NULL').join(',')}}`
const factLine = (f: Fact) =>
  line(
    f.company,
    f.project.id,
    f.spelled,
    f.project.department,
    f.project.year,
    f.project.province,
    f.project.method,
    f.project.type,
    f.project.criteria,
    f.coverage,
    f.won,
    f.decided,
    f.open.length,
    f.value,
    f.bid,
    f.project.estimate === null || f.project.estimate <= 0 ? null : f.project.estimate,
    f.base,
    f.onBudget,
    f.on,
    f.happened,
    f.sme,
    array(f.amounts),
    array(f.open),
  )

function countsOf(of: readonly Fact[]) {
  const listed = of.filter((fact) => fact.coverage !== 0)
  const measured = of.filter((fact) => fact.base !== null && fact.onBudget === false)
  const bids =
    listed.length === 0
      ? [null, null, null]
      : [listed.length, listed.filter((fact) => fact.decided).length, listed.filter(({ won }) => won).length]
  const bases = measured.map((fact) => fact.base!)
  const saved = measured.map((fact) => fact.base! - fact.value!)
  return {
    sums: [
      of.length,
      of.filter(({ won }) => won).length,
      total(of.map(({ value }) => value)),
      ...bids,
      measured.length,
      total(bases),
      total(saved),
    ],
    rates: saved.map((amount, index) => amount / bases[index]!).sort((a, b) => a - b),
    lastWin:
      of
        .filter(({ won }) => won)
        .flatMap((fact) => fact.on ?? [])
        .sort()
        .at(-1) ?? null,
    coverage: [2, 1, 0].map((level) => of.filter((fact) => fact.coverage === level).length),
  }
}

function figuresOf(of: readonly Fact[], numberOf: ReadonlyMap<string, number>) {
  const { sums, rates, lastWin, coverage } = countsOf(of)
  const wins = of.filter(({ won }) => won)
  const middle = rates.length / 2
  const median =
    rates.length === 0
      ? null
      : rates.length % 2 === 1
        ? rates[Math.floor(middle)]!
        : (rates[middle - 1]! + rates[middle]!) / 2
  const methods = [...Map.groupBy(wins, ({ project }) => project.method)].sort(
    ([a, n], [b, m]) => m.length - n.length || numberOf.get(a)! - numberOf.get(b)!,
  )
  return [
    ...sums,
    median === null ? null : median.toFixed(8).replace(/^-(0\.0+)$/, '$1'),
    new Set(wins.map(({ project }) => project.dept_name)).size,
    methods[0]?.[0] ?? null,
    lastWin,
    ...coverage,
  ]
}

function sliceOf(of: readonly Fact[]) {
  const { sums, lastWin, coverage } = countsOf(of)
  return [...sums, lastWin, ...coverage]
}

async function readProjects(db: Db): Promise<Project[]> {
  return await db.query<Project>(sql`
    select p.project_id as id, p.department_id as department, d.name as dept_name, p.fiscal_year as year, p.project_province as province, p.method,
      p.method_type as type, p.criteria, p.status, p.movement, p.is_archived as archived, p.budget_satang as budget, p.estimate_satang as estimate,
      p.winner_satang as winning, p.winner_name as winner, p.winner_announced_on as announced, p.contract_signed_on as signed,
      coalesce(p.submission_ends_on, p.bidding_invited_on, case when not p.is_movement_undated then p.movement_on end, p.draft_published_on) as seen,
      coalesce((select json_agg(json_build_object('tin', c.winner_tin, 'name', c.winner_name, 'amount', c.amount_satang, 'ends', c.ends_on,
        'status', c.status, 'signed', c.signed_on) order by c.contract_no collate "C") from contracts c where c.project_id = p.project_id), '[]') as contracts,
      coalesce((select json_agg(json_build_object('tin', b.tin, 'name', b.name, 'price', b.price_satang, 'is_winner', b.is_winner, 'is_sme', b.is_sme)
        order by b.position) from bidders b where b.project_id = p.project_id), '[]') as bidders
    from projects p join departments d on d.id = p.department_id order by p.project_id`)
}
