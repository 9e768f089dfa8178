import path from 'node:path'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { type BudgetRecord, readBudgetRows } from '#server/catalogue/feed/sources/budget-csv.ts'
import type { BudgetImportResult, RejectedBudgetRow } from '#server/market/budget/budget-row.ts'
import { findQuarantinedBudgetRows } from '#server/market/budget/replace-budget-queries.ts'
import { replaceBudgetYear } from '#server/market/budget/replace-budget-year.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { refreshBudget } from './refresh-budget.ts'
import { writeRejectedRowsFile } from './write-quarantine-file.ts'

export const BUDGET_SOURCE = 'budget-csv'

export type BudgetImportReport = BudgetImportResult & {
  readonly quarantineFile: string | undefined
}

type AcceptedRow = { readonly line: number; readonly raw: string; readonly record: BudgetRecord }

/**
 * Imports one year's budget from its public table in one transaction, so a kill leaves the year unchanged. Keyword
 * matches and projects of the items are refreshed immediately, or by the server if one is running.
 */
export async function importBudget(
  db: Db,
  file: string,
  options: { readonly dataDir: string; readonly now?: () => Date },
): Promise<BudgetImportReport> {
  const startedAt = performance.now()
  const accepted: AcceptedRow[] = []
  const refused: RejectedBudgetRow[] = []
  for await (const row of readBudgetRows(file)) {
    if ('record' in row) accepted.push(row)
    else refused.push({ line: row.line, ...row.rejected })
  }
  const fiscalYear = mostCommonYear(accepted)
  if (fiscalYear === undefined) throw new FeedFormatError(`ไฟล์ ${file} ไม่มีรายการงบประมาณสักรายการ`)
  const readCount = accepted.length + refused.length
  const { rows, skipped } = selectRows(accepted, fiscalYear)
  const at = options.now?.() ?? new Date()
  const year = { fiscalYear, origin: path.basename(file), read: readCount, rows, refused: [...refused, ...skipped], at }
  const report = await db.transaction((tx) => replaceBudgetYear(tx, year), { idleTimeoutMs: 0 })
  await refreshBudget(db)
  const quarantined = year.refused.length
  const folder = path.join(options.dataDir, 'quarantine')
  const rejected = (after: number, limit: number) => findQuarantinedBudgetRows(db, report.budgetLoadId, after, limit)
  return {
    ...report,
    fiscalYear,
    read: readCount,
    items: rows.length,
    quarantined,
    seconds: (performance.now() - startedAt) / 1000,
    quarantineFile:
      quarantined === 0
        ? undefined
        : await writeRejectedRowsFile(folder, `budget-${report.budgetLoadId}.csv`, rejected),
  }
}

function mostCommonYear(accepted: readonly AcceptedRow[]): number | undefined {
  const counts = new Map<number, number>()
  for (const { record } of accepted) counts.set(record.fiscalYear, (counts.get(record.fiscalYear) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0]
}

/**
 * Selects the rows of the file's year and counts a duplicate row once. Rows of other years are future instalments of
 * multi-year items: commitments that are not part of those years' budgets, which have files of their own.
 */
function selectRows(
  accepted: readonly AcceptedRow[],
  fiscalYear: number,
): { rows: BudgetRecord[]; skipped: RejectedBudgetRow[] } {
  const rows: BudgetRecord[] = []
  const skipped: RejectedBudgetRow[] = []
  const lineByText = new Map<string, number>()
  for (const { line, raw, record } of accepted) {
    const text = JSON.stringify(record)
    const firstLine = record.sourceId === '' ? undefined : lineByText.get(text)
    if (record.fiscalYear !== fiscalYear)
      skipped.push({ line, raw, reason: `เป็นวงเงินของปี ${record.fiscalYear} ไม่ใช่งบประมาณปี ${fiscalYear} ของไฟล์นี้` })
    else if (firstLine !== undefined) skipped.push({ line, raw, reason: `ซ้ำกับบรรทัดที่ ${firstLine}` })
    else {
      rows.push(record)
      lineByText.set(text, line)
    }
  }
  return { rows, skipped }
}
