import { expect, test } from 'vitest'
import { formatDataLoadReport, showDataLoadProgress } from './load-progress.ts'
import type { CommandLineOutput } from './terminal.ts'

const REPORT = {
  loadId: 7,
  read: 53_736,
  staged: 53_700,
  quarantined: 36,
  doubts: { date_repaired: 2, tax_id_check_digit: 1 },
  resumedAfterLine: 0,
  newProjects: 50_000,
  updatedProjects: 100,
  unchangedProjects: 3_600,
  matched: 1_234,
  excluded: 56,
  seconds: 10,
}

function recordingTerminal(isTty: boolean): CommandLineOutput & { logged: string[]; redrawn: string[] } {
  const logged: string[] = []
  const redrawn: string[] = []
  return { isTty, logged, redrawn, log: (line) => logged.push(line), redraw: (line) => redrawn.push(line) }
}

test('a log file gets a line every five seconds with count and rate', () => {
  const terminal = recordingTerminal(false)
  let at = 0
  const show = showDataLoadProgress(terminal, () => at)
  for (let second = 0; second <= 11; second += 1) {
    at = second * 1_000
    show({ phase: 'read', done: second * 2_000, quarantined: second })
  }
  expect(terminal.logged).toEqual(['read 10,000, 2,000/s, 5 in quarantine', 'read 20,000, 2,000/s, 10 in quarantine'])
})

test('a terminal redraws one line, and a resumed load counts its rate from the resume and shows the time left', () => {
  const terminal = recordingTerminal(true)
  let at = 0
  const show = showDataLoadProgress(terminal, () => at)
  show({ phase: 'read', done: 40_000 })
  at = 1_000
  show({ phase: 'read', done: 41_000 })
  at = 2_000
  show({ phase: 'match', done: 500, total: 1_000 })
  at = 3_000
  show({ phase: 'match', done: 600, total: 1_000 })
  at = 4_000
  show({ phase: 'derive', done: 0, total: 100_000 })
  at = 6_000
  show({ phase: 'derive', done: 1_000, total: 100_000 })
  expect(terminal.logged).toEqual([])
  expect(terminal.redrawn).toEqual([
    'read 40,000',
    'read 41,000, 1,000/s',
    'matched 500 of 1,000',
    'matched 600 of 1,000, 600/s, 1 s left',
    'compared and counted 0 of 100,000',
    'compared and counted 1,000 of 100,000, 500/s, 3 min 18 s left',
  ])
})

test('the final counts add up: read is imported plus quarantined', () => {
  expect(formatDataLoadReport(REPORT)).toEqual([
    'read 53,736 = imported 53,700 + quarantined 36',
    'projects: 50,000 new, 100 updated, 3,600 unchanged',
    'matches: 1,234 (removed by exclusion words: 56)',
    'imported with warnings: date_repaired 2, tax_id_check_digit 1',
    'load 7 took 10.0 s, 5,374 rows/s',
  ])
  expect(formatDataLoadReport({ ...REPORT, resumedAfterLine: 30_000 })[0]).toBe('continued after line 30,000')
})
