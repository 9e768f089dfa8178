import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { escapeSpreadsheetCell } from '#contract/spreadsheet-formula.ts'
import { listQuarantinedRows, type QuarantinedRow } from '#server/catalogue/feed/load-queries.ts'
import type { Db } from '#server/platform/engine/db.ts'

const PAGE_SIZE = 2_000

type FetchRejected = (after: number, limit: number) => Promise<readonly QuarantinedRow[]>

export async function writeQuarantineFile(db: Db, loadId: number, folder: string): Promise<string> {
  return await writeRejectedRowsFile(folder, `load-${loadId}.csv`, (after, limit) =>
    listQuarantinedRows(db, loadId, after, limit),
  )
}

export async function writeRejectedRowsFile(
  folder: string,
  name: string,
  fetchRejected: FetchRejected,
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.resolve(folder, name)
  await pipeline(csvLines(fetchRejected), createWriteStream(file, { mode: 0o600 }))
  return file
}

async function* csvLines(fetchRejected: FetchRejected): AsyncGenerator<string> {
  // The BOM makes Excel read the file as UTF-8.
  yield '\uFEFFline,reason,row\r\n'
  let lastLine = 0
  for (;;) {
    const rows = await fetchRejected(lastLine, PAGE_SIZE)
    if (rows.length === 0) return
    yield rows.map(csvLine).join('')
    lastLine = rows.at(-1)!.line
  }
}

const csvLine = ({ line, reason, raw }: QuarantinedRow) => `${line},${quoteCell(reason)},${quoteCell(raw)}\r\n`

/** Escapes cells that start like a formula, which a spreadsheet would execute (R34). */
function quoteCell(text: string): string {
  return `"${escapeSpreadsheetCell(text).replaceAll('"', '""')}"`
}
