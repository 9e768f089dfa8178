import { guardedCell } from '#contract/spreadsheet-formula.ts'
import type { SheetColumn, SheetRow, SheetValue } from '#server/workbook/sheet-xml.ts'

/** Excel takes a CSV without it for another encoding than UTF-8, and Thai becomes noise. */
const BOM = '\uFEFF'
const LINE_END = '\r\n'

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe before it (R34); numbers stay numbers. */
function field(value: SheetValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends the file for some readers
  const safe = guardedCell(value.replaceAll(/\u0000/g, ''))
  return /[",\r\n]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (values: SheetRow) => values.map(field).join(',') + LINE_END

/** UTF-8 with a byte order mark, a header line, dates as ISO and money with a point: for programs, and readable in Excel. */
export async function* writeCsv({
  columns,
  pages,
  note,
}: {
  readonly columns: readonly SheetColumn[]
  readonly pages: AsyncIterable<readonly SheetRow[]>
  /** Last line, where the file does not hold all there is. */
  readonly note: string | undefined
}): AsyncGenerator<Buffer> {
  yield Buffer.from(BOM + line(columns.map(({ title }) => title)))
  for await (const page of pages) yield Buffer.from(page.map(line).join(''))
  if (note !== undefined) yield Buffer.from(line([note]))
}
