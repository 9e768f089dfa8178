import { SIGN_LIMITS } from '#contract/market/odd-signs.ts'
import { factsOf } from '#server/market/company/memory/fact-columns.ts'
import type { Awarded } from '#server/market/who-wins/awards.ts'
import { Sums } from '#server/market/who-wins/sums.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { type CountedKind, type CountedSign, isWin, ROWS_A_TURN, Years } from './sign-facts.ts'

/** Returns the end index (exclusive) in `awards.facts` of the company's facts that start at `from`. */
function endOfRun({ columns: { company }, facts }: Awarded, from: number): number {
  let to = from + 1
  while (to < facts.length && company[facts[to]!] === company[facts[from]!]) to += 1
  return to
}

/** Calls `count` with each company and its range in `awards.facts`, yielding to the event loop in between. */
async function eachCompany(awards: Awarded, count: (company: number, from: number, to: number) => void): Promise<void> {
  const { columns, facts } = awards
  let turn = ROWS_A_TURN
  for (let from = 0; from < facts.length; ) {
    const to = endOfRun(awards, from)
    count(columns.company[facts[from]!]!, from, to)
    from = to
    if (from < turn) continue
    turn = from + ROWS_A_TURN
    await yieldToEventLoop()
  }
}

/**
 * Share of one company in the cost of an agency's decided projects of a fiscal year, regardless of the other winners.
 */
export async function countBuyerShares(awards: Awarded): Promise<CountedKind> {
  const { spending, decided, agencyOf, agencyCount, columns, facts } = awards
  const { department, year, value } = columns
  const placeOfYear = new Int16Array(0x8000).fill(-1)
  const years: number[] = []
  for (const place of decided) {
    const fiscal = spending.year[place]!
    if (placeOfYear[fiscal] === -1) placeOfYear[fiscal] = years.push(fiscal) - 1
  }
  const groupOf = (agency: number, fiscal: number) => agency * years.length + placeOfYear[fiscal]!
  const sums = new Sums(agencyCount * years.length)
  let projects = 0
  for (const [at, place] of decided.entries()) {
    // Without a year the sign would have no period.
    if (spending.year[place] === 0) continue
    sums.add(groupOf(agencyOf[spending.department[place]!]!, spending.year[place]!), spending.spent[place]!)
    if (!Number.isNaN(spending.spent[place]!)) projects += 1
    if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
  }
  const groups = sums.all().filter(({ key }) => sums.known(key) >= SIGN_LIMITS.projects).length
  const signs: CountedSign[] = []
  await eachCompany(awards, (company, from, to) => {
    if (to - from < SIGN_LIMITS.buyerWins) return
    const own = new Map<number, { wins: number; value: number; fact: number }>()
    for (let at = from; at < to; at += 1) {
      const fact = facts[at]!
      if (!isWin(columns, fact) || year[fact] === 0) continue
      const group = groupOf(agencyOf[department[fact]!]!, year[fact]!)
      const sum = own.get(group) ?? { wins: 0, value: 0, fact }
      sum.wins += 1
      if (!Number.isNaN(value[fact]!)) sum.value += value[fact]!
      own.set(group, sum)
    }
    for (const [group, { wins, value: won, fact }] of own) {
      const { n, value: whole } = sums.of(group)
      if (wins < SIGN_LIMITS.buyerWins || sums.known(group) < SIGN_LIMITS.projects || !whole) continue
      const share = won / whole
      if (share < SIGN_LIMITS.buyerShare) continue
      const of = { unit: department[fact]!, companies: [company], yearFrom: year[fact]!, yearTo: year[fact]! }
      signs.push({ ...of, count: wins, n, share, value: won, whole })
    }
  })
  return { projects, groups, signs: signs.sort((a, b) => b.share - a.share || b.n - a.n || byNumbers(a, b)) }
}

/** Makes the order deterministic for equal shares. */
function byNumbers(a: CountedSign, b: CountedSign): number {
  return (a.unit ?? -1) - (b.unit ?? -1) || a.companies[0]! - b.companies[0]! || a.yearFrom - b.yearFrom
}

/**
 * Finds the two companies with the most wins at an agency, and over the whole query, which counts as one extra agency.
 */
export async function countTwoWinners(awards: Awarded): Promise<CountedKind> {
  const { agencyOf, agencyCount, columns, facts, projectCount } = awards
  const { department, project, year } = columns
  const whole = agencyCount
  const [first, second] = [new Int32Array(agencyCount + 1).fill(-1), new Int32Array(agencyCount + 1).fill(-1)]
  const [firstWins, secondWins] = [new Int32Array(agencyCount + 1), new Int32Array(agencyCount + 1)]
  const [n, unitOf] = [new Int32Array(agencyCount + 1), new Int32Array(agencyCount + 1)]
  const years = new Years(agencyCount + 1)
  const met = new Uint8Array(projectCount)
  const own = new Int32Array(agencyCount + 1)
  await eachCompany(awards, (company, from, to) => {
    const at: number[] = []
    const count = (group: number) => {
      if (own[group] === 0) at.push(group)
      own[group] = own[group]! + 1
    }
    for (let place = from; place < to; place += 1) {
      const fact = facts[place]!
      if (!isWin(columns, fact)) continue
      const agency = agencyOf[department[fact]!]!
      count(agency)
      count(whole)
      if (met[project[fact]!] === 1) continue
      met[project[fact]!] = 1
      unitOf[agency] = department[fact]!
      for (const group of [agency, whole]) {
        n[group] = n[group]! + 1
        years.add(group, year[fact]!)
      }
    }
    for (const group of at) {
      const wins = own[group]!
      own[group] = 0
      if (wins > firstWins[group]!) {
        ;[second[group], secondWins[group]] = [first[group]!, firstWins[group]!]
        ;[first[group], firstWins[group]] = [company, wins]
      } else if (wins > secondWins[group]!) [second[group], secondWins[group]] = [company, wins]
    }
  })
  const signs: CountedSign[] = []
  let [groups, agencies] = [0, 0]
  for (let group = 0; group <= whole; group += 1) {
    if (group < whole && n[group]! > 0) agencies += 1
    // With a single agency the whole query would repeat it.
    if (n[group]! < SIGN_LIMITS.projects || (group === whole && agencies === 1)) continue
    groups += 1
    const most = firstWins[group]! + secondWins[group]!
    if (secondWins[group]! < n[group]! * SIGN_LIMITS.pairLeast || most < n[group]! * SIGN_LIMITS.pairShare) continue
    const companies = [first[group]!, second[group]!]
    const won = new Set<number>()
    for (const company of companies)
      for (const fact of factsOf(columns, facts, company))
        if (isWin(columns, fact) && (group === whole || agencyOf[department[fact]!] === group)) won.add(project[fact]!)
    // Counts a project that both won once.
    const share = won.size / n[group]!
    if (share < SIGN_LIMITS.pairShare) continue
    const unit = group === whole ? undefined : unitOf[group]!
    signs.push({ unit, companies, ...years.of(group), count: won.size, n: n[group]!, share })
  }
  return { projects: n[whole]!, groups, signs: signs.sort((a, b) => b.n - a.n || b.share - a.share || byNumbers(a, b)) }
}
