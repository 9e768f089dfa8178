import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { guardedCell } from '#contract/spreadsheet-formula.ts'
import { findQuarantined, type QuarantinedRow } from '#server/catalogue/feed/load-queries.ts'
import type { Db } from '#server/platform/engine/db.ts'

const AT_ONCE = 2_000

type RejectedRows = (after: number, limit: number) => Promise<readonly QuarantinedRow[]>

/** Writes a load's rejected rows as CSV (line, reason, raw row) and returns the file path. */
export async function writeQuarantine(db: Db, loadId: number, folder: string): Promise<string> {
  return await writeRejected(folder, `load-${loadId}.csv`, (after, limit) => findQuarantined(db, loadId, after, limit))
}

export async function writeRejected(folder: string, name: string, rejected: RejectedRows): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.resolve(folder, name)
  await pipeline(csvLines(rejected), createWriteStream(file, { mode: 0o600 }))
  return file
}

async function* csvLines(rejected: RejectedRows): AsyncGenerator<string> {
  // The BOM makes Excel read the file as UTF-8.
  yield '\uFEFFline,reason,row\r\n'
  let after = 0
  for (;;) {
    const rows = await rejected(after, AT_ONCE)
    if (rows.length === 0) return
    yield rows.map(csvLine).join('')
    after = rows.at(-1)!.line
  }
}

const csvLine = ({ line, reason, raw }: QuarantinedRow) => `${line},${quoted(reason)},${quoted(raw)}\r\n`

/** Escapes cells that start like a formula, which a spreadsheet would execute (R34). */
function quoted(text: string): string {
  return `"${guardedCell(text).replaceAll('"', '""')}"`
}
