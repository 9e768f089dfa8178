import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { readCsv } from '../company-figures.ts'

export function createTempFolder(name: string): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), `tamngan-${name}-`))
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Writes the projects whose number ends in `end`, about one in ten, to a separate contract file. */
export function extractPart(sourceFile: string, folder: string, end: string): string {
  const rows = readCsv(sourceFile).filter((row) => row.project_id.endsWith(end))
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
  const part = path.join(folder, 'part.csv.gz')
  writeFileSync(
    part,
    gzipSync([line(Object.keys(rows[0]!)), ...rows.map((row) => line(Object.values(row)))].join('\n')),
  )
  return part
}
