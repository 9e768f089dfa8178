import { UNUSUAL_AWARD_PATTERN_THRESHOLDS } from '#contract/market/unusual-award-patterns.ts'
import { getCompanyFactIndexes } from '#server/market/company/memory/company-fact-columns.ts'
import type { AwardSet } from '#server/market/who-wins/award-set.ts'
import { KeyedTotals } from '#server/market/who-wins/keyed-totals.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import {
  isWinningCompanyFact,
  UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE,
  type UnusualAwardPatternFinding,
  type UnusualAwardPatternKindResult,
  YearRangesByGroup,
} from './sign-facts.ts'

function endOfCompany({ columns: { company }, facts }: AwardSet, from: number): number {
  let to = from + 1
  while (to < facts.length && company[facts[to]!] === company[facts[from]!]) to += 1
  return to
}

async function forEachCompany(
  awards: AwardSet,
  count: (company: number, from: number, to: number) => void,
): Promise<void> {
  const { columns, facts } = awards
  let nextYieldAt = UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE
  for (let from = 0; from < facts.length; ) {
    const to = endOfCompany(awards, from)
    count(columns.company[facts[from]!]!, from, to)
    from = to
    if (from < nextYieldAt) continue
    nextYieldAt = from + UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE
    await yieldToEventLoop()
  }
}

/**
 * Computes the share of one company in the cost of an agency's decided projects of a fiscal year, regardless of the
 * other winners.
 */
export async function countBuyerShareUnusualAwardPatterns(awards: AwardSet): Promise<UnusualAwardPatternKindResult> {
  const { spending, decided, agencyOf, agencyCount, columns, facts } = awards
  const { department, year, value } = columns
  const placeOfYear = new Int16Array(0x8000).fill(-1)
  const years: number[] = []
  for (const row of decided) {
    const fiscal = spending.year[row]!
    if (placeOfYear[fiscal] === -1) placeOfYear[fiscal] = years.push(fiscal) - 1
  }
  const groupOf = (agency: number, fiscal: number) => agency * years.length + placeOfYear[fiscal]!
  const sums = new KeyedTotals(agencyCount * years.length)
  let projects = 0
  for (let at = 0; at < decided.length; at += 1) {
    const row = decided[at]!
    // Skip spending without a year, because the sign would have no period.
    if (spending.year[row] === 0) continue
    sums.add(groupOf(agencyOf[spending.department[row]!]!, spending.year[row]!), spending.spent[row]!)
    if (!Number.isNaN(spending.spent[row]!)) projects += 1
    if (at % UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE === UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE - 1) await yieldToEventLoop()
  }
  const groups = sums.all().filter(({ key }) => sums.known(key) >= UNUSUAL_AWARD_PATTERN_THRESHOLDS.projects).length
  const signs: UnusualAwardPatternFinding[] = []
  // Wins, their value and the first fact of the current company by group; `wonGroups` lists the groups to reset.
  const wins = new Int32Array(agencyCount * years.length)
  const won = new Float64Array(wins.length)
  const firstFact = new Int32Array(wins.length)
  const wonGroups: number[] = []
  await forEachCompany(awards, (company, from, to) => {
    if (to - from < UNUSUAL_AWARD_PATTERN_THRESHOLDS.buyerWins) return
    for (let at = from; at < to; at += 1) {
      const fact = facts[at]!
      if (!isWinningCompanyFact(columns, fact) || year[fact] === 0) continue
      const group = groupOf(agencyOf[department[fact]!]!, year[fact]!)
      if (wins[group] === 0) {
        wonGroups.push(group)
        won[group] = 0
        firstFact[group] = fact
      }
      wins[group] = wins[group]! + 1
      if (!Number.isNaN(value[fact]!)) won[group] = won[group]! + value[fact]!
    }
    for (const group of wonGroups) {
      const count = wins[group]!
      wins[group] = 0
      if (
        count < UNUSUAL_AWARD_PATTERN_THRESHOLDS.buyerWins ||
        sums.known(group) < UNUSUAL_AWARD_PATTERN_THRESHOLDS.projects
      )
        continue
      const { n, value: totalValue } = sums.of(group)
      if (!totalValue) continue
      const share = won[group]! / totalValue
      if (share < UNUSUAL_AWARD_PATTERN_THRESHOLDS.buyerShare) continue
      const fact = firstFact[group]!
      const of = { unit: department[fact]!, companies: [company], yearFrom: year[fact]!, yearTo: year[fact]! }
      signs.push({ ...of, count, n, share, value: won[group]!, totalValue })
    }
    wonGroups.length = 0
  })
  return { projects, groups, signs: signs.sort((a, b) => b.share - a.share || b.n - a.n || compareNumbers(a, b)) }
}

function compareNumbers(a: UnusualAwardPatternFinding, b: UnusualAwardPatternFinding): number {
  return (a.unit ?? -1) - (b.unit ?? -1) || a.companies[0]! - b.companies[0]! || a.yearFrom - b.yearFrom
}

/**
 * Finds the two companies with the most wins for each agency and for the whole query, which is treated as one extra
 * agency.
 */
export async function countTwoWinnerUnusualAwardPatterns(awards: AwardSet): Promise<UnusualAwardPatternKindResult> {
  const { agencyOf, agencyCount, columns, facts, projectCount } = awards
  const { department, project, year } = columns
  const wholeQuery = agencyCount
  const [firstCompany, second] = [new Int32Array(agencyCount + 1).fill(-1), new Int32Array(agencyCount + 1).fill(-1)]
  const [firstWins, secondWins] = [new Int32Array(agencyCount + 1), new Int32Array(agencyCount + 1)]
  const [n, unitOf] = [new Int32Array(agencyCount + 1), new Int32Array(agencyCount + 1)]
  const years = new YearRangesByGroup(agencyCount + 1)
  const met = new Uint8Array(projectCount)
  const companyWins = new Int32Array(agencyCount)
  const wonAgencies: number[] = []
  function rank(group: number, company: number, wins: number): void {
    if (wins > firstWins[group]!) {
      second[group] = firstCompany[group]!
      secondWins[group] = firstWins[group]!
      firstCompany[group] = company
      firstWins[group] = wins
    } else if (wins > secondWins[group]!) {
      second[group] = company
      secondWins[group] = wins
    }
  }
  await forEachCompany(awards, (company, from, to) => {
    let allWins = 0
    for (let index = from; index < to; index += 1) {
      const fact = facts[index]!
      if (!isWinningCompanyFact(columns, fact)) continue
      const agency = agencyOf[department[fact]!]!
      if (companyWins[agency] === 0) wonAgencies.push(agency)
      companyWins[agency] = companyWins[agency]! + 1
      allWins += 1
      if (met[project[fact]!] === 1) continue
      met[project[fact]!] = 1
      unitOf[agency] = department[fact]!
      n[agency] = n[agency]! + 1
      years.add(agency, year[fact]!)
      n[wholeQuery] = n[wholeQuery]! + 1
      years.add(wholeQuery, year[fact]!)
    }
    for (const agency of wonAgencies) {
      rank(agency, company, companyWins[agency]!)
      companyWins[agency] = 0
    }
    wonAgencies.length = 0
    rank(wholeQuery, company, allWins)
  })
  const signs: UnusualAwardPatternFinding[] = []
  let [groups, agencies] = [0, 0]
  for (let group = 0; group <= wholeQuery; group += 1) {
    if (group < wholeQuery && n[group]! > 0) agencies += 1
    // If the result has a single agency, the figure for the whole query would only repeat the agency's figure.
    if (n[group]! < UNUSUAL_AWARD_PATTERN_THRESHOLDS.projects || (group === wholeQuery && agencies === 1)) continue
    groups += 1
    const pairWins = firstWins[group]! + secondWins[group]!
    if (
      secondWins[group]! < n[group]! * UNUSUAL_AWARD_PATTERN_THRESHOLDS.pairLeast ||
      pairWins < n[group]! * UNUSUAL_AWARD_PATTERN_THRESHOLDS.pairShare
    )
      continue
    const companies = [firstCompany[group]!, second[group]!]
    const won = new Set<number>()
    for (const company of companies)
      for (const fact of getCompanyFactIndexes(columns, facts, company))
        if (isWinningCompanyFact(columns, fact) && (group === wholeQuery || agencyOf[department[fact]!] === group))
          won.add(project[fact]!)
    const share = won.size / n[group]!
    if (share < UNUSUAL_AWARD_PATTERN_THRESHOLDS.pairShare) continue
    const unit = group === wholeQuery ? undefined : unitOf[group]!
    signs.push({ unit, companies, ...years.of(group), count: won.size, n: n[group]!, share })
  }
  return {
    projects: n[wholeQuery]!,
    groups,
    signs: signs.sort((a, b) => b.n - a.n || b.share - a.share || compareNumbers(a, b)),
  }
}
