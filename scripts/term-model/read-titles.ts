import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { stripTitleBoilerplate } from '#server/platform/text/vocabulary-segmenter.ts'

/** Projects excluded from training because their labels evaluate the model. */
type Holdout = { readonly ids: ReadonlySet<string>; readonly contents: ReadonlySet<string> }

/** Reads the labelled projects by id and title content, so that no copy of a title under another id slips in. */
export function readHoldout(file: string): Holdout {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))
  return {
    ids: new Set(rows.map((row) => row[2]!)),
    contents: new Set(rows.map((row) => stripTitleBoilerplate(normaliseThai(row[3]!)))),
  }
}

/** Returns distinct title contents of a compressed e-GP file in file order, without the holdout. */
export async function readTitles(
  file: string,
  holdout: Holdout,
  limit: number,
): Promise<{ read: number; titles: string[] }> {
  const xz = spawn('xz', ['-dc', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const rows = xz.stdout.pipe(parse({ columns: true, bom: true, relax_quotes: true, relax_column_count: true }))
  const seen = new Set<string>()
  let read = 0
  for await (const row of rows as AsyncIterable<{ project_id: string; project_name: string }>) {
    read += 1
    if (holdout.ids.has(row.project_id)) continue
    const content = stripTitleBoilerplate(normaliseThai(row.project_name)).trim()
    if (content === '' || holdout.contents.has(content)) continue
    seen.add(content)
    if (seen.size >= limit) break
  }
  xz.kill()
  return { read, titles: [...seen] }
}
