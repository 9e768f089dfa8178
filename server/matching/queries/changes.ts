import sql, { empty, raw } from 'sql-template-tag'
import { keywordKey } from '#contract/matching/keyword.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import {
  type ChangeFinder,
  type DepartmentsNamed,
  insideWindow,
  type ProjectName,
  passesGate,
} from '#server/matching/changes-sql.ts'
import type { MatchVerdict } from '#server/matching/queries.ts'
import type { Gate } from '#server/matching/rules.ts'
import { heapsOf } from '#server/platform/engine/backup/backup-tables.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'

/** 8 kB pages per statement: about 10,000 projects, 30 ms. Other queries run in between on PGlite. */
const PAGES = 2_000
const NO_LIMIT = { timeoutMs: 0 }
const NO_SUCH_TABLE = '42P01'

export type Candidate = { readonly project_id: string; readonly movement_on: string | null; readonly inside: boolean }

/**
 * Returns all projects matched by `finder` that pass budget and provinces, read page by page from each table
 * partition. A row moved by a concurrent load may be missed, but loads published after the caller held the matching
 * lock use rules at least as new. Restarts if the table is partitioned meanwhile.
 */
export async function findArrivals(db: Db, gate: Gate, finder: ChangeFinder): Promise<Candidate[]> {
  for (let heaps = await heapsOf(db, 'projects'); ; ) {
    const found = await findInHeaps(db, gate, finder, heaps)
    const now = await heapsOf(db, 'projects')
    if (found !== undefined && now.map(({ name }) => name).join() === heaps.map(({ name }) => name).join()) return found
    heaps = now
  }
}

/** Returns undefined if a partition was dropped. */
async function findInHeaps(
  db: Db,
  gate: Gate,
  { finds, condition, ...finder }: ChangeFinder,
  heaps: readonly { readonly name: string; readonly blocks: number }[],
): Promise<Candidate[] | undefined> {
  const found: Candidate[] = []
  try {
    for (const { name, blocks } of heaps)
      for (let page = 0; page < blocks; page += PAGES) {
        const rows = await db.query<ProjectName & Candidate>(
          sql`
            select p.project_id, p.department_id, p.name_search, ${spacedName(finder)}, p.movement_on, ${insideWindow(gate)} as inside
            from only ${raw(name)} p
            where p.ctid >= ${`(${page},0)`}::tid and p.ctid < ${`(${page + PAGES},0)`}::tid
              and ${passesGate(gate)} ${condition ? sql`and ${condition}` : empty}`,
          NO_LIMIT,
        )
        for (const row of rows) if (finds(row)) found.push(candidateOf(row))
      }
  } catch (error) {
    if (error instanceof StatementError && error.code === NO_SUCH_TABLE) return undefined
    throw error
  }
  return found
}

export async function findNewestArrivals(
  db: Db,
  gate: Gate,
  { finder, most }: { finder: ChangeFinder; most: number },
): Promise<Candidate[]> {
  const rows = await db.query<ProjectName & Candidate>(
    sql`
      select p.project_id, p.department_id, p.name_search, ${spacedName(finder)}, p.movement_on, p.inside
      from (
        select p.*, ${insideWindow(gate)} as inside from projects p
        where p.movement_on is not null order by p.movement_on desc, p.project_id desc limit ${most}::int
      ) p
      where p.inside and ${passesGate(gate)}`,
    NO_LIMIT,
  )
  return rows.filter((row) => finder.finds(row)).map(candidateOf)
}

const spacedName = ({ readsSpaced }: Pick<ChangeFinder, 'readsSpaced'>) =>
  readsSpaced ? sql`p.name_spaced` : sql`'' as name_spaced`
const candidateOf = ({ project_id, movement_on, inside }: Candidate): Candidate => ({ project_id, movement_on, inside })

export async function findTouched(db: Db, organisationId: number, finder: ChangeFinder): Promise<Candidate[]> {
  const most = 20_000
  const found: Candidate[] = []
  for (let after = ''; ; ) {
    const rows = await db.query<ProjectName & Candidate>(
      sql`
      select stored.project_id, p.department_id, p.name_search, ${spacedName(finder)}, p.movement_on, true as inside
      from (
        (select m.project_id from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id > ${after}::text order by m.project_id limit ${most}::int)
        union
        (select x.project_id from match_exclusions x where x.organisation_id = ${organisationId}::int and x.project_id > ${after}::text order by x.project_id limit ${most}::int)
        order by project_id limit ${most}::int
      ) stored left join projects p on p.project_id = stored.project_id
      order by stored.project_id`,
      NO_LIMIT,
    )
    for (const row of rows) if (row.name_search !== null && finder.finds(row)) found.push(candidateOf(row))
    if (rows.length < most) return found
    after = rows.at(-1)!.project_id
  }
}

export async function findDocumented(
  db: Db,
  organisationId: number,
  expressions: readonly string[],
): Promise<Candidate[]> {
  if (expressions.length === 0) return []
  return db.query<Candidate>(
    sql`
      select distinct p.project_id, p.movement_on, true as inside
      from document_matches x join keywords k on k.id = x.keyword_id join projects p on p.project_id = x.project_id
      where x.organisation_id = ${organisationId}::int and k.list = 'include' and k.word_key = any (${expressions.map(keywordKey)}::text[])`,
    NO_LIMIT,
  )
}

export async function findNamed(db: Db, projectIds: readonly string[]): Promise<Candidate[]> {
  if (projectIds.length === 0) return []
  return db.query<Candidate>(
    sql`select p.project_id, p.movement_on, true as inside from projects p where p.project_id = any (${[...projectIds]}::text[])`,
    NO_LIMIT,
  )
}

export async function readDepartments(db: Db): Promise<DepartmentsNamed> {
  const rows = await db.query<{ id: number; name: string; sub_name: string }>(
    sql`select id, name, sub_name from departments`,
    NO_LIMIT,
  )
  const named = new Map<string, number[]>()
  for (const { id, name, sub_name } of rows) {
    for (const form of new Set([searchForm(name), searchForm(sub_name === '' ? name : sub_name)])) {
      const known = named.get(form)
      if (known) known.push(id)
      else named.set(form, [id])
    }
  }
  return (forms) => new Set([...forms].flatMap((form) => named.get(form) ?? []))
}

export async function storedReasons(
  tx: Db,
  organisationId: number,
  projectIds: readonly string[],
): Promise<Map<string, Pick<MatchVerdict, 'matched_by' | 'matched_words' | 'reasons'>>> {
  const rows = await tx.query<MatchVerdict>(sql`
    select m.project_id, coalesce(w.matched_by, '{}') as matched_by, coalesce(w.matched_words, '{}') as matched_words, coalesce(w.reasons, '[]') as reasons
    from project_matches m left join match_words w on w.organisation_id = m.organisation_id and w.id = m.words_id
    where m.organisation_id = ${organisationId}::int and m.project_id = any (${[...projectIds]}::text[])`)
  return new Map(rows.map((row) => [row.project_id, row]))
}

export async function rulesVersion(db: Db, organisationId: number): Promise<number | undefined> {
  const [row] = await db.query<{ version: number }>(
    sql`select rules_version as version from organisations where id = ${organisationId}::int`,
  )
  return row?.version
}

export async function storedOutside(db: Db, organisationId: number): Promise<string | null> {
  const [row] = await db.query<{ date: string | null }>(
    sql`select newest_outside_window as date from organisations where id = ${organisationId}::int`,
    NO_LIMIT,
  )
  return row?.date ?? null
}

export async function findMovedOn(db: Db, day: string): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(
    sql`select project_id from projects where movement_on = ${day}::date`,
    NO_LIMIT,
  )
  return rows.map(({ project_id }) => project_id)
}
