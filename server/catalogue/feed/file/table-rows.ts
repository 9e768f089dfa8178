import { cleanFeedText } from '#server/catalogue/feed/clean-text.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { readCsvRows } from './csv-rows.ts'
import { readUnpackedBytes } from './feed-file.ts'
import { readTextLines } from './text-lines.ts'

export type FileTableColumns<K extends string> = Readonly<
  Record<K, { readonly names: readonly string[]; readonly isOptional?: boolean }>
>

export type FileTableRow<K extends string> = { readonly line: number; readonly raw: string } & (
  | { readonly cell: (column: K) => string | undefined }
  | { readonly broken: string }
)

export type FileTable<K extends string> = {
  readonly hasColumn: (column: K) => boolean
  readonly rows: AsyncGenerator<FileTableRow<K>, void, undefined>
}

const headerName = (cell: string) => cleanFeedText(cell).toUpperCase().replace(/\?$/, '')

/**
 * Opens a table, plain, packed or a workbook, and locates its columns by name. Title lines above the header are
 * skipped; the header is the first line with at least half of the required columns. The first of two columns with the
 * same name wins. The caller must read or `return()` the rows.
 * @throws FeedFormatError naming the missing columns.
 */
export async function openFileTable<K extends string>(
  path: string,
  columns: FileTableColumns<K>,
): Promise<FileTable<K>> {
  const keys = Object.keys(columns) as K[]
  const required = keys.filter((key) => !columns[key].isOptional)
  const indexOf = (names: readonly string[], key: K) =>
    columns[key].names.map((name) => names.indexOf(headerName(name))).find((index) => index >= 0) ?? -1
  const isHeader = (cells: readonly string[]) => {
    const names = cells.map(headerName)
    return required.filter((key) => indexOf(names, key) >= 0).length * 2 >= required.length
  }
  const csvRows = readCsvRows(readTextLines(readUnpackedBytes(path, { isHeader })), { isHeader })
  const first = await csvRows.next()
  if (first.done) throw new FeedFormatError('บรรทัดที่ 1: ไฟล์ไม่มีหัวตาราง')
  const header = first.value
  const names = 'cells' in header ? header.cells.map(headerName) : []
  const indexes = new Map(keys.map((key) => [key, indexOf(names, key)]))
  const missing = required.filter((key) => indexes.get(key) === -1)
  if (missing.length > 0) {
    await csvRows.return()
    if (!('cells' in header)) throw new FeedFormatError(`บรรทัดที่ ${header.line}: อ่านหัวตารางไม่ได้ (${header.broken})`)
    throw new FeedFormatError(
      `บรรทัดที่ ${header.line}: ไม่พบคอลัมน์ ${missing.map((key) => columns[key].names[0]).join(', ')}`,
    )
  }
  async function* rows(): AsyncGenerator<FileTableRow<K>, void, undefined> {
    for await (const row of csvRows) {
      if (!('cells' in row)) yield row
      else yield { line: row.line, raw: row.raw, cell: (column) => row.cells[indexes.get(column)!] }
    }
  }
  return { hasColumn: (column) => indexes.get(column)! >= 0, rows: rows() }
}
