import { stripDirectionMarks } from '#contract/direction-marks.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { escapeSpreadsheetCell } from '#contract/spreadsheet-formula.ts'
import type { SheetColumn, SheetRow, SheetValue } from '#server/platform/workbook/sheet-xml.ts'
import { writeSingleTableWorkbook } from '#server/platform/workbook/xlsx-file.ts'
import { buildExportColumns, buildExportRow } from './export-columns.ts'
import { buildExportDescriptionRows, type ExportDescription, formatExportTruncationNote } from './export-description.ts'
import type { RequestedExport } from './queries.ts'

/** Without a BOM, Excel does not read CSV as UTF-8 and Thai is garbled. */
const BOM = '\uFEFF'
const LINE_END = '\r\n'

/**
 * Escapes by RFC 4180. Text that a spreadsheet would treat as a formula gets a leading apostrophe (R34); numbers stay
 * numbers.
 */
function csvField(value: SheetValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // Remove NUL, because some programs treat it as the end of the file.
  const safe = escapeSpreadsheetCell(stripDirectionMarks(value).replaceAll('\0', ''))
  return /[",\r\n]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (values: SheetRow) => values.map(csvField).join(',') + LINE_END

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

const NO_LABELS: RequestedExport['labelled'] = new Map()

/** Returns the CSV of a bounded number of rows as one string, for feeds: without labels, with exactly these columns. */
export function formatReportCsv(
  fields: RequestedExport['columns'],
  rows: readonly ReportRow[],
  figures: Pick<ExportDescription, 'total' | 'found'>,
): string {
  const note = formatExportTruncationNote(figures)
  const titles = buildExportColumns(fields, NO_LABELS).map(({ title }) => title)
  const lines = [
    titles,
    ...rows.map((row) => buildExportRow(row, fields, NO_LABELS)),
    ...(note === undefined ? [] : [[note]]),
  ]
  return BOM + lines.map(line).join('')
}

/** Size of a stored part. A 20 MB file then takes 80 statements, and progress still updates smoothly. */
const PART_BYTES = 256 * 1024

export type ExportPart = {
  readonly place: number
  readonly bytes: Uint8Array
  readonly done: number
}

export async function* writeExport(
  requestedExport: RequestedExport,
  pages: AsyncIterable<readonly ReportRow[]>,
  figures: Pick<ExportDescription, 'dataTime' | 'total' | 'found'>,
): AsyncGenerator<ExportPart> {
  let done = 0
  async function* readPages(): AsyncGenerator<SheetRow[]> {
    for await (const page of pages) {
      done += page.length
      yield page.map((row) => buildExportRow(row, requestedExport.columns, requestedExport.labelled))
    }
  }
  const file = {
    columns: buildExportColumns(requestedExport.columns, requestedExport.labelled),
    pages: readPages(),
    note: formatExportTruncationNote(figures),
  }
  const bytes =
    requestedExport.format === 'csv'
      ? writeCsv(file)
      : writeSingleTableWorkbook({
          ...file,
          sheetName: 'รายงานโครงการ',
          aboutName: 'ตัวกรอง',
          about: buildExportDescriptionRows({ ...requestedExport, ...figures }),
        })
  let index = 0
  for await (const part of inParts(bytes)) {
    yield { place: index, bytes: part, done }
    index += 1
  }
}

async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}
