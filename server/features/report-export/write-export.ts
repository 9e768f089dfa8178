import type { ReportRow } from '#contract/report.ts'
import type { SheetRow } from '#server/workbook/sheet-xml.ts'
import { writeXlsx } from '#server/workbook/xlsx-file.ts'
import { type AboutExport, aboutExport, cutOffNote } from './about-export.ts'
import { writeCsv } from './csv-file.ts'
import { exportColumns, exportRow } from './export-columns.ts'
import type { AskedExport } from './queries-worker.ts'

/** Large enough that a file of 20 MB is 80 statements, small enough that progress moves. */
const PART_BYTES = 256 * 1024

export type ExportPart = {
  readonly place: number
  readonly bytes: Uint8Array
  /** Rows of the report read so far. */
  readonly done: number
}

/** The file in parts, from pages of rows in the report's order. */
export async function* writeExport(
  asked: AskedExport,
  pages: AsyncIterable<readonly ReportRow[]>,
  figures: Pick<AboutExport, 'dataTime' | 'total' | 'found'>,
): AsyncGenerator<ExportPart> {
  let done = 0
  async function* read(): AsyncGenerator<SheetRow[]> {
    for await (const page of pages) {
      done += page.length
      yield page.map((row) => exportRow(row, asked.columns))
    }
  }
  const file = { columns: exportColumns(asked.columns), pages: read(), note: cutOffNote(figures) }
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
