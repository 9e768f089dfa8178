import { stripDirectionMarks } from '#contract/direction-marks.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { guardedCell } from '#contract/spreadsheet-formula.ts'
import type { SheetColumn, SheetRow, SheetValue } from '#server/platform/workbook/sheet-xml.ts'
import { writeXlsx } from '#server/platform/workbook/xlsx-file.ts'
import { type AboutExport, aboutExport, cutOffNote } from './about-export.ts'
import { exportColumns, exportRow } from './export-columns.ts'
import type { AskedExport } from './queries.ts'

/** Without a BOM, Excel does not read CSV as UTF-8 and Thai is garbled. */
const BOM = '\uFEFF'
const LINE_END = '\r\n'

/** RFC 4180. Text that a spreadsheet would treat as a formula gets a leading apostrophe (R34); numbers stay numbers. */
function field(value: SheetValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends the file for some readers
  const safe = guardedCell(stripDirectionMarks(value).replaceAll(/\u0000/g, ''))
  return /[",\r\n]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (values: SheetRow) => values.map(field).join(',') + LINE_END

/** UTF-8 with BOM, header line, ISO dates and decimal points: machine-readable and opens in Excel. */
async function* writeCsv({
  columns,
  pages,
  note,
}: {
  readonly columns: readonly SheetColumn[]
  readonly pages: AsyncIterable<readonly SheetRow[]>
  readonly note: string | undefined
}): AsyncGenerator<Buffer> {
  yield Buffer.from(BOM + line(columns.map(({ title }) => title)))
  for await (const page of pages) yield Buffer.from(page.map(line).join(''))
  if (note !== undefined) yield Buffer.from(line([note]))
}

/** The same CSV as one string, for feeds: bounded, without labels, with exactly these columns. */
export function csvText(
  fields: AskedExport['columns'],
  rows: readonly ReportRow[],
  figures: Pick<AboutExport, 'total' | 'found'>,
): string {
  const note = cutOffNote(figures)
  const titles = exportColumns(fields, {}).map(({ title }) => title)
  const lines = [titles, ...rows.map((row) => exportRow(row, fields, {})), ...(note === undefined ? [] : [[note]])]
  return BOM + lines.map(line).join('')
}

/** A 20 MB file takes 80 statements, while progress still updates smoothly. */
const PART_BYTES = 256 * 1024

export type ExportPart = {
  readonly place: number
  readonly bytes: Uint8Array
  readonly done: number
}

export async function* writeExport(
  asked: AskedExport,
  pages: AsyncIterable<readonly ReportRow[]>,
  figures: Pick<AboutExport, 'dataTime' | 'total' | 'found'>,
): AsyncGenerator<ExportPart> {
  let done = 0
  async function* read(): AsyncGenerator<SheetRow[]> {
    for await (const page of pages) {
      done += page.length
      yield page.map((row) => exportRow(row, asked.columns, asked.labelled))
    }
  }
  const file = { columns: exportColumns(asked.columns, asked.labelled), pages: read(), note: cutOffNote(figures) }
  const bytes =
    asked.format === 'csv'
      ? writeCsv(file)
      : writeXlsx({
          ...file,
          sheetName: 'รายงานโครงการ',
          aboutName: 'ตัวกรอง',
          about: aboutExport({ ...asked, ...figures }),
        })
  let place = 0
  for await (const part of inParts(bytes)) {
    yield { place, bytes: part, done }
    place += 1
  }
}

async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    waiting.push(piece)
    size += piece.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}
