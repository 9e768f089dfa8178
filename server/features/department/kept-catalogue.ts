import { bangkokToday } from '#contract/thai-date.ts'
import type { Db } from '#server/db/db.ts'
import { keepNewest } from '#server/route/keep-newest.ts'
import { buildCatalogue, type Catalogue } from './catalogue.ts'
import { catalogueVersion, countUnits, loadDirectory } from './queries.ts'

/** Days that count as recent, today included (as in previews). */
const RECENT_DAYS = 30
const DAY_MS = 86_400_000

/**
 * The master list of one process: built once for each published load, imported directory and day, and kept in memory (about 100 MB for
 * 63,000 departments and 64,000 units), so that an answer costs no look at the projects.
 */
export function keepCatalogue(db: Db, now: () => Date): () => Promise<Catalogue> {
  const keep = keepNewest<string, Catalogue>()
  return async () => {
    const today = bangkokToday(now())
    return keep(`${await catalogueVersion(db)} ${today}`, () => build(db, today))
  }
}

async function build(db: Db, today: string): Promise<Catalogue> {
  const since = new Date(Date.parse(today) - (RECENT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const rows = await countUnits(db, since)
  return buildCatalogue(rows, await loadDirectory(db))
}
