import path from 'node:path'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { type BudgetRecord, budgetRows } from '#server/catalogue/feed/sources/budget-csv.ts'
import type { BudgetReport, RefusedBudgetRow } from '#server/market/budget/budget-row.ts'
import { findQuarantinedItems } from '#server/market/budget/replace-budget-queries.ts'
import { replaceYear } from '#server/market/budget/replace-year.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { refreshBudget } from './refresh-budget.ts'
import { writeRejected } from './write-quarantine.ts'

export const BUDGET_SOURCE = 'budget-csv'

export type BudgetImportReport = BudgetReport & {
  readonly quarantineFile: string | undefined
}

type TakenRow = { readonly line: number; readonly raw: string; readonly record: BudgetRecord }

/**
 * Imports one year's budget from its public table in one transaction, so a kill leaves the year unchanged. Keyword
 * matches and projects of the items are refreshed immediately, or by the running server.
 */
export async function importBudget(
  db: Db,
  file: string,
  options: { readonly dataDir: string; readonly now?: () => Date },
): Promise<BudgetImportReport> {
  const started = performance.now()
  const taken: TakenRow[] = []
  const refused: RefusedBudgetRow[] = []
  for await (const row of budgetRows(file)) {
    if ('record' in row) taken.push(row)
    else refused.push({ line: row.line, ...row.rejected })
  }
  const fiscalYear = yearOf(taken)
  if (fiscalYear === undefined) throw new FeedFormatError(`ไฟล์ ${file} ไม่มีรายการงบประมาณสักรายการ`)
  const read = taken.length + refused.length
  const { rows, others } = rowsOf(taken, fiscalYear)
  const at = options.now?.() ?? new Date()
  const year = { fiscalYear, origin: path.basename(file), read, rows, refused: [...refused, ...others], at }
  const report = await db.transaction((tx) => replaceYear(tx, year), { idleTimeoutMs: 0 })
  await refreshBudget(db)
  const quarantined = year.refused.length
  const folder = path.join(options.dataDir, 'quarantine')
  const rejected = (after: number, limit: number) => findQuarantinedItems(db, report.budgetLoadId, after, limit)
  return {
    ...report,
    fiscalYear,
    read,
    items: rows.length,
    quarantined,
    seconds: (performance.now() - started) / 1000,
    quarantineFile:
      quarantined === 0 ? undefined : await writeRejected(folder, `budget-${report.budgetLoadId}.csv`, rejected),
  }
}

function yearOf(taken: readonly TakenRow[]): number | undefined {
  const counts = new Map<number, number>()
  for (const { record } of taken) counts.set(record.fiscalYear, (counts.get(record.fiscalYear) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0]
}

/**
 * Selects the rows of the file's own year. Rows of other years are future instalments of multi-year items: commitments,
 * not part of those years' budgets, which have their own files. A duplicate row counts once.
 */
function rowsOf(taken: readonly TakenRow[], fiscalYear: number): { rows: BudgetRecord[]; others: RefusedBudgetRow[] } {
  const rows: BudgetRecord[] = []
  const others: RefusedBudgetRow[] = []
  const seen = new Map<string, number>()
  for (const { line, raw, record } of taken) {
    const text = JSON.stringify(record)
    const known = record.sourceId === '' ? undefined : seen.get(text)
    if (record.fiscalYear !== fiscalYear)
      others.push({ line, raw, reason: `เป็นวงเงินของปี ${record.fiscalYear} ไม่ใช่งบประมาณปี ${fiscalYear} ของไฟล์นี้` })
    else if (known !== undefined) others.push({ line, raw, reason: `ซ้ำกับบรรทัดที่ ${known}` })
    else {
      rows.push(record)
      seen.set(text, line)
    }
  }
  return { rows, others }
}
