import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { countWorkingDays } from '#contract/thai/working-day.ts'
import { compileMatchRules } from '#server/matching/compile-match-rules.ts'
import { evaluateProjectMatch } from '#server/matching/evaluate-project.ts'
import { toFirstListRules } from '#server/matching/first-list/first-list-rules.ts'
import { type FirstList, learnFirstList } from '#server/matching/first-list/learn-first-list.ts'
import { readYearContracts, type YearProject } from './data/first-list-year.ts'
import { hashText } from './data/hash-text.ts'

/**
 * Measures the first watch list that the set-up proposes to a new company. Draws firms with 5 to 200 wins from all
 * contracts of fiscal year 2568, learns a list from the first three quarters of each firm's wins in time, and counts
 * what the matching engine finds with it: of the wins of the last quarter, and projects per working day over the whole
 * year. FILE holds CGD contracts: `xz -dk` of egp-2568-all-1388312.csv.xz.
 *
 *   npx node bench/first-list.ts FILE.csv [--firms 300] [--seed 1] [--worst 10]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    firms: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '0' },
    sample: { type: 'string', default: '30000' },
    cache: { type: 'string', default: path.join(os.tmpdir(), 'tamngan-year-contracts.tsv') },
  },
})
const YEAR = { from: '2024-10-01', to: '2025-09-30' } as const
const WINS = { min: 5, max: 200 } as const

type Firm = {
  readonly taxId: string
  readonly learnt: YearProject[]
  readonly later: YearProject[]
  list: FirstList
  found: Set<string>
  perYear: number
  competitivePerYear: number
}

const contracts = () => readYearContracts(positionals[0]!, values.cache)
const workingDays = countWorkingDays(YEAR.from, YEAR.to)

async function drawFirms(): Promise<{ firms: Firm[]; sample: YearProject[]; projects: number }> {
  const winsByFirm = new Map<string, Map<string, string>>()
  const seen = new Set<string>()
  for await (const { project, winner } of contracts()) {
    seen.add(project.project_id)
    if (winner === undefined) continue
    const wins = winsByFirm.get(winner) ?? new Map<string, string>()
    winsByFirm.set(winner, wins)
    if (!wins.has(project.project_id)) wins.set(project.project_id, project.movement_on)
  }
  const drawn = [...winsByFirm]
    .filter(([, wins]) => wins.size >= WINS.min && wins.size <= WINS.max)
    .map(([taxId]) => ({ taxId, order: hashText(`${values.seed} ${taxId}`) }))
    .sort((a, b) => a.order - b.order || (a.taxId < b.taxId ? -1 : 1))
    .slice(0, Number(values.firms))
    .map(({ taxId }) => taxId)
  const projectsOf = new Map(drawn.map((taxId) => [taxId, [] as YearProject[]]))
  const share = Number(values.sample) / seen.size
  const sample: YearProject[] = []
  seen.clear()
  for await (const { project, winner } of contracts()) {
    if (!seen.has(project.project_id)) {
      seen.add(project.project_id)
      if (hashText(project.project_id) / 2 ** 32 < share) sample.push(project)
    }
    const wins = winner === undefined ? undefined : projectsOf.get(winner)
    if (wins && !wins.some(({ project_id }) => project_id === project.project_id)) wins.push(project)
  }
  const firms = drawn.map((taxId): Firm => {
    const wins = projectsOf
      .get(taxId)!
      .sort((a, b) => (a.movement_on < b.movement_on ? -1 : a.movement_on > b.movement_on ? 1 : 0))
    const cut = Math.floor(wins.length * 0.75)
    return {
      taxId,
      learnt: wins.slice(0, cut),
      later: wins.slice(cut),
      list: undefined as unknown as FirstList,
      found: new Set(),
      perYear: 0,
      competitivePerYear: 0,
    }
  })
  return { firms, sample, projects: seen.size }
}

async function countFound(firms: readonly Firm[]): Promise<void> {
  const rules = compileMatchRules(firms.map(({ list: { items, gate } }, index) => toFirstListRules(index, items, gate)))
  const seen = new Set<string>()
  for await (const { project } of contracts()) {
    if (seen.has(project.project_id)) continue
    seen.add(project.project_id)
    for (const verdict of evaluateProjectMatch(rules, project)) {
      const firm = firms[verdict.organisation_id]!
      firm.perYear += 1
      if (project.isCompetitive) firm.competitivePerYear += 1
      firm.found.add(project.project_id)
    }
  }
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!

function report(title: string, firms: readonly Firm[], accepts: (project: YearProject) => boolean): void {
  const rows = firms.flatMap((firm) => {
    const later = firm.later.filter(accepts)
    return later.length === 0
      ? []
      : [{ found: later.filter(({ project_id }) => firm.found.has(project_id)).length, all: later.length }]
  })
  const shares = rows.map(({ found, all }) => found / all).sort((a, b) => a - b)
  const foundCount = rows.reduce((sum, row) => sum + row.found, 0)
  const all = rows.reduce((sum, row) => sum + row.all, 0)
  const figures = [0.25, 0.5, 0.75].map((share) => quantile(shares, share).toFixed(2)).join(' ')
  console.log(
    `${title}: ${rows.length} firms, quartiles ${figures}, all ${(foundCount / all).toFixed(3)} of ${all} wins`,
  )
}

const started = performance.now()
const { firms, sample, projects } = await drawFirms()
console.log(`${projects} projects, ${firms.length} firms, sample ${sample.length}, ${workingDays} working days`)
const background = { projects: sample, perDay: projects / sample.length / workingDays }
const times: number[] = []
for (const firm of firms) {
  const begin = performance.now()
  firm.list = await learnFirstList(firm.learnt, background)
  times.push(performance.now() - begin)
}
times.sort((a, b) => a - b)
console.log(`learning: median ${quantile(times, 0.5).toFixed(0)} ms, slowest ${times.at(-1)!.toFixed(0)} ms`)
await countFound(firms)
report('all wins', firms, () => true)
report('competitive', firms, ({ isCompetitive }) => isCompetitive)
const perDay = firms.map(({ perYear }) => perYear / workingDays).sort((a, b) => a - b)
const competitivePerDay = firms.map((firm) => firm.competitivePerYear / workingDays).sort((a, b) => a - b)
const three = (figures: readonly number[]) =>
  [0.25, 0.5, 0.75, 1].map((share) => quantile(figures, share).toFixed(1)).join(' ')
console.log(`projects a working day: quartiles and most ${three(perDay)}; competitive ${three(competitivePerDay)}`)
const expected = firms.reduce((sum, { list }) => sum + list.expected, 0) / firms.length
const promised = firms.reduce((sum, { list }) => sum + list.perDay, 0) / firms.length
console.log(
  `expected by the learner: ${expected.toFixed(3)} of wins, ${promised.toFixed(1)} a day; ` +
    `mean of firms ${(firms.reduce((s, f) => s + f.later.filter((p) => f.found.has(p.project_id)).length / f.later.length, 0) / firms.length).toFixed(3)}`,
)
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`)

const worst = firms
  .map((firm) => ({ firm, share: firm.later.filter((p) => firm.found.has(p.project_id)).length / firm.later.length }))
  .sort((a, b) => a.share - b.share)
  .slice(0, Number(values.worst))
for (const { firm, share } of worst) {
  const { list } = firm
  console.log(
    `\n${firm.taxId} found ${share.toFixed(2)}, expected ${list.expected.toFixed(2)}, ${(firm.perYear / workingDays).toFixed(1)} a day (promised ${list.perDay.toFixed(1)}), provinces ${list.gate.provinces ? [...list.gate.provinces].join() : 'all'}, from ${list.gate.minSatang / 100}`,
  )
  console.log(
    `  list: ${list.items
      .map((i) => `${i.word}(${i.wins.length}/${i.perDay.toFixed(1)})`)
      .join(' · ')
      .slice(0, 1500)}`,
  )
  for (const p of firm.learnt.slice(0, 8))
    console.log(
      `  won ${p.dept_name} ${p.project_province} ${(p.budget_satang ?? 0) / 100} ${p.name_spaced.slice(0, 130)}`,
    )
  for (const p of firm.later.filter((p) => !firm.found.has(p.project_id)).slice(0, 8))
    console.log(
      `  LOST ${p.dept_name} ${p.project_province} ${(p.budget_satang ?? 0) / 100} ${p.name_spaced.slice(0, 130)}`,
    )
}
