import {
  formatUnusualAwardPatternFact,
  formatUnusualAwardPatternPeriod,
} from '#contract/market/format-unusual-award-pattern.ts'
import {
  UNUSUAL_AWARD_PATTERN_TEXTS,
  type UnusualAwardPattern,
  type UnusualAwardPatternCode,
  type UnusualAwardPatterns,
} from '#contract/market/unusual-award-patterns.ts'
import type { WonProject } from '#contract/market/who-wins.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { AwardSet } from '#server/market/who-wins/award-set.ts'
import { loadAwardProjectIds } from '#server/market/who-wins/load-figure-project-ids.ts'
import {
  toWonProjectRow,
  WON_PROJECT_COLUMNS,
  WORKBOOK_PAGE_SIZE,
} from '#server/market/who-wins/write-who-wins-workbook.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { createSheetColumn as column, type SheetRow } from '#server/platform/workbook/sheet-xml.ts'
import type { TableSheet } from '#server/platform/workbook/xlsx-file.ts'
import { presentUnusualAwardPatterns } from './present-signs.ts'

const MAX_ROWS = 200

type FileSign = {
  readonly sign: UnusualAwardPatternCode
  readonly fact: UnusualAwardPattern
  readonly total: number
  readonly ids: readonly string[]
}
export type UnusualAwardPatternWorkbookData = {
  readonly patterns: Omit<UnusualAwardPatterns, 'ignored_parameters'>
  readonly signs: readonly FileSign[]
}

export async function loadUnusualAwardPatternWorkbookData(
  db: Db,
  awards: AwardSet,
): Promise<UnusualAwardPatternWorkbookData> {
  const patterns = await presentUnusualAwardPatterns(db, awards)
  const signs: FileSign[] = []
  for (const { sign, results } of patterns.kinds)
    for (const fact of results) {
      const { total, ids } = (await loadAwardProjectIds(db, awards, fact.rows, MAX_ROWS))!
      signs.push({ sign, fact, total, ids })
    }
  return { patterns, signs }
}

/** Both sheets show the same data, which is loaded when the first of them is written. */
export function buildUnusualAwardPatternSheets(
  loadData: () => Promise<UnusualAwardPatternWorkbookData>,
  loadProjects: (ids: readonly string[]) => Promise<readonly WonProject[]>,
): TableSheet[] {
  let loaded: Promise<UnusualAwardPatternWorkbookData> | undefined
  const load = () => (loaded ??= loadData())
  return [
    {
      sheetName: 'ข้อสังเกต',
      note: async () => describeSignCount(await load()),
      columns: [
        column('ข้อ', 'count', 8),
        column('ข้อสังเกต', 'text', 40),
        column('ข้อเท็จจริง', 'text', 80),
        column('หน่วยงาน', 'text', 40),
        column('บริษัท', 'text', 40),
        column('ช่วงเวลา', 'text', 20),
        column('จำนวน', 'count'),
        column('n', 'count'),
        column('สัดส่วน', 'rate'),
        column('มูลค่า', 'money', 20),
        column('เกณฑ์', 'text', 60),
        column('คำอธิบายอื่นที่เป็นไปได้', 'text', 80),
        column('รหัสตัวชี้วัด Open Contracting', 'code', 18),
      ],
      pages: signRowPages(load),
    },
    {
      sheetName: 'งานของข้อสังเกต',
      note: async () => describeShortenedSigns(await load()),
      columns: [column('ข้อ', 'count', 8), ...WON_PROJECT_COLUMNS],
      pages: signProjectPages(load, loadProjects),
    },
  ]
}

function describeSignCount({ patterns, signs }: UnusualAwardPatternWorkbookData): string | undefined {
  if (patterns.total === 0) return `ไม่พบข้อสังเกตใน ${formatCount(patterns.decided)} งานที่รู้ผล`
  return signs.length < patterns.total
    ? `แสดง ${formatCount(signs.length)} ข้อที่เด่นที่สุดจากทั้งหมด ${formatCount(patterns.total)} ข้อ`
    : undefined
}

function describeShortenedSigns({ signs }: UnusualAwardPatternWorkbookData): string | undefined {
  const shortened = signs.filter(({ total, ids }) => ids.length < total).length
  return shortened === 0
    ? undefined
    : `${formatCount(shortened)} ข้อมีมากกว่า ${formatCount(MAX_ROWS)} งาน แสดง ${formatCount(MAX_ROWS)} งานแรกของข้อนั้น`
}

async function* signRowPages(
  load: () => Promise<UnusualAwardPatternWorkbookData>,
): AsyncGenerator<readonly SheetRow[]> {
  const { signs } = await load()
  yield signs.map(({ sign, fact }, at) => [
    at + 1,
    UNUSUAL_AWARD_PATTERN_TEXTS[sign].title,
    formatUnusualAwardPatternFact(sign, fact),
    [fact.agency ?? 'ทั้งตัวกรอง', fact.unit, fact.province].filter(Boolean).join(' · '),
    fact.companies.map(({ name }) => name).join(', '),
    formatUnusualAwardPatternPeriod(fact),
    fact.count,
    fact.n,
    fact.share,
    fact.value,
    UNUSUAL_AWARD_PATTERN_TEXTS[sign].threshold,
    UNUSUAL_AWARD_PATTERN_TEXTS[sign].explanations.join(' / '),
    UNUSUAL_AWARD_PATTERN_TEXTS[sign].indicator,
  ])
}

async function* signProjectPages(
  load: () => Promise<UnusualAwardPatternWorkbookData>,
  loadProjects: (ids: readonly string[]) => Promise<readonly WonProject[]>,
): AsyncGenerator<readonly SheetRow[]> {
  const { signs } = await load()
  const rows = signs.flatMap(({ ids }, at) => ids.map((id) => ({ number: at + 1, id })))
  for (const page of splitIntoSlices(rows, WORKBOOK_PAGE_SIZE)) {
    const loaded = await loadProjects([...new Set(page.map(({ id }) => id))])
    const projects = new Map(loaded.map((row) => [row.project_id, row]))
    yield page.flatMap(({ number, id }) => {
      const project = projects.get(id)
      return project ? [[number, ...toWonProjectRow(project)]] : []
    })
  }
}
