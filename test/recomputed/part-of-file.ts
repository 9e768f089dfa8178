import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { readCsv } from '../company-figures.ts'

/** A folder for files of one test. */
export function scratchFolder(name: string): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), `tamngan-${name}-`))
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Writes the projects of a file of contracts whose number ends so, about one in ten, as a file of their own. */
export function partOf(whole: string, folder: string, end: string): string {
  const rows = readCsv(whole).filter((row) => row.project_id.endsWith(end))
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
  const part = path.join(folder, 'part.csv.gz')
  writeFileSync(
    part,
    gzipSync([line(Object.keys(rows[0]!)), ...rows.map((row) => line(Object.values(row)))].join('\n')),
  )
  return part
}
