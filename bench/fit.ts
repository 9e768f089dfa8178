import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { addDays, countDaysBetween } from '#contract/thai/thai-date.ts'
import { isWorkingDay } from '#contract/thai/working-day.ts'
import { type FitProfile, learnFitProfile } from '#server/matching/fit/learn-fit-profile.ts'
import { scoreFit } from '#server/matching/fit/score-fit.ts'
import { type InvitedProject, prepareFitReplay, type ReplayFirm } from './data/fit-replay.ts'

/**
 * Measures the order by fit. Draws firms by a seed from the contracts of fiscal year 2568 and replays each from the day
 * on which half of its wins were signed: from these it learns the first list and the fit profile. For each e-bidding
 * win that was announced later and each working day on which it accepted bids, it orders the open competitive projects
 * of the firm's report and counts whether the win is among the first 20. The file has no last days of bids, so they are
 * computed as the earliest that the law allows. FILE holds CGD contracts: `xz -dk` of egp-2568-all-1388312.csv.xz.
 *
 *   npx node bench/fit.ts FILE.csv [--firms 50] [--seed 1] [--first 20]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    firms: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '20' },
    sample: { type: 'string', default: '30000' },
    'min-learnt': { type: 'string', default: '5' },
    'min-later': { type: 'string', default: '3' },
    cache: { type: 'string', default: path.join(os.tmpdir(), 'tamngan-year-contracts.tsv') },
  },
})
const FIRST = Number(values.first)

type Order = (day: string, projects: readonly InvitedProject[]) => InvitedProject[]

const byId = (a: InvitedProject, b: InvitedProject) => (a.project_id < b.project_id ? -1 : 1)
const newest = (a: InvitedProject, b: InvitedProject) =>
  a.invited_on === b.invited_on ? byId(a, b) : a.invited_on < b.invited_on ? 1 : -1
const soonest = (a: InvitedProject, b: InvitedProject) =>
  a.closes_on === b.closes_on ? byId(a, b) : a.closes_on < b.closes_on ? -1 : 1

function byFit(profile: FitProfile): Order {
  return (day, projects) => {
    const scored = projects.map((project) => ({
      project,
      score: scoreFit(profile, { ...project, daysLeft: countDaysBetween(day, project.closes_on) }).hundredths,
    }))
    return scored.sort((a, b) => b.score - a.score || newest(a.project, b.project)).map(({ project }) => project)
  }
}

type Shares = { readonly fit: number; readonly deadline: number; readonly newest: number }
/** Shares of the days on which the win was among the first, and the mean number of open projects. */
type Replayed = Shares & { readonly open: number }

function replay({ report }: ReplayFirm, win: InvitedProject, orders: Readonly<Record<keyof Shares, Order>>): Replayed {
  const hits = { fit: 0, deadline: 0, newest: 0 }
  let [days, open] = [0, 0]
  for (let day = win.invited_on; day <= win.closes_on; day = addDays(day, 1)) {
    if (!isWorkingDay(day)) continue
    days += 1
    const projects = report.filter(({ invited_on, closes_on }) => invited_on <= day && day <= closes_on)
    open += projects.length
    for (const name of ['fit', 'deadline', 'newest'] as const) {
      const at = orders[name](day, projects).findIndex(({ project_id }) => project_id === win.project_id)
      if (at < FIRST) hits[name] += 1
    }
  }
  return { fit: hits.fit / days, deadline: hits.deadline / days, newest: hits.newest / days, open: open / days }
}

const started = performance.now()
const firms = await prepareFitReplay(positionals[0]!, values.cache, {
  firms: Number(values.firms),
  seed: values.seed,
  sample: Number(values.sample),
  minLearnt: Number(values['min-learnt']),
  minLater: Number(values['min-later']),
})
const replayed: Replayed[] = []
const learning: number[] = []
for (const firm of firms) {
  const begin = performance.now()
  const profile = learnFitProfile(firm.learnt.map((project) => ({ kind: 'won', project })))
  learning.push(performance.now() - begin)
  if (!profile) throw new Error(`${firm.taxId} has too few wins`)
  const orders = {
    fit: byFit(profile),
    deadline: (_: string, projects: readonly InvitedProject[]) => projects.toSorted(soonest),
    newest: (_: string, projects: readonly InvitedProject[]) => projects.toSorted(newest),
  }
  for (const win of firm.later) replayed.push(replay(firm, win, orders))
}

const mean = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0) / figures.length
function print(title: string, rows: readonly Replayed[]): void {
  const of = (name: keyof Shares) => mean(rows.map((row) => row[name]))
  const open = rows.map((row) => row.open).sort((a, b) => a - b)
  const quartiles = [0.25, 0.5, 0.75].map((share) => open[Math.floor(share * open.length)]?.toFixed(0)).join(' ')
  console.log(
    `${title}: ${rows.length} wins, open projects ${quartiles}; fit ${of('fit').toFixed(3)}, deadline ${of('deadline').toFixed(3)}, ` +
      `newest ${of('newest').toFixed(3)}; fit ÷ newest ${(of('fit') / of('newest')).toFixed(2)}, ÷ deadline ${(of('fit') / of('deadline')).toFixed(2)}`,
  )
}
const missed = firms.reduce((sum, firm) => sum + firm.missed, 0)
console.log(
  `${firms.length} firms, ${replayed.length} later wins in their reports, ${missed} outside; learning ${Math.max(...learning).toFixed(0)} ms at most`,
)
print('all', replayed)
for (const least of [FIRST, 2 * FIRST, 5 * FIRST])
  print(
    `more than ${least} open`,
    replayed.filter(({ open }) => open > least),
  )
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`)
