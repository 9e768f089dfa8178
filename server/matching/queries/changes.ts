import sql, { empty, raw } from 'sql-template-tag'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { MatchLimits } from '#server/matching/compile-match-rules.ts'
import type { MatchVerdict } from '#server/matching/queries.ts'
import {
  type DepartmentIdFinder,
  matchLimitsSql,
  type ProjectNameMatcher,
  reportWindowSql,
  type SearchableProjectName,
} from '#server/matching/rule-change-matchers.ts'
import { listTableHeaps } from '#server/platform/engine/backup/backup-tables.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'

/**
 * Number of 8 kB pages per statement: about 10,000 projects, 30 ms. On PGlite, other queries run between two
 * statements.
 */
const PAGES_PER_STATEMENT = 2_000
const NO_TIMEOUT = { timeoutMs: 0 }
const NO_SUCH_TABLE = '42P01'

export type MatchCandidate = {
  readonly project_id: string
  readonly movement_on: string | null
  readonly inside: boolean
}

/**
 * Returns all projects that `finder` matches and that pass the limits on budget and provinces, read page by page from
 * each table partition. May miss a row that a concurrent load moves. That is harmless, because a load that is published
 * after the caller took the matching lock uses rules at least as new. Restarts if the table is partitioned meanwhile.
 */
export async function findNewMatchCandidates(
  db: Db,
  gate: MatchLimits,
  finder: ProjectNameMatcher,
): Promise<MatchCandidate[]> {
  for (let heaps = await listTableHeaps(db, 'projects'); ; ) {
    const candidates = await findCandidatesInHeaps(db, gate, finder, heaps)
    const currentHeaps = await listTableHeaps(db, 'projects')
    if (
      candidates !== undefined &&
      currentHeaps.map(({ name }) => name).join() === heaps.map(({ name }) => name).join()
    )
      return candidates
    heaps = currentHeaps
  }
}

/** Finds candidates by reading the partitions directly. Returns undefined if a partition was dropped meanwhile. */
async function findCandidatesInHeaps(
  db: Db,
  gate: MatchLimits,
  { matches, condition, ...finder }: ProjectNameMatcher,
  heaps: readonly { readonly name: string; readonly blocks: number }[],
): Promise<MatchCandidate[] | undefined> {
  const candidates: MatchCandidate[] = []
  try {
    for (const { name, blocks } of heaps)
      for (let page = 0; page < blocks; page += PAGES_PER_STATEMENT) {
        const rows = await db.query<SearchableProjectName & MatchCandidate>(
          sql`
            select p.project_id, p.department_id, p.name_search, ${spacedName(finder)}, p.movement_on, ${reportWindowSql(gate)} as inside
            from only ${raw(name)} p
            where p.ctid >= ${`(${page},0)`}::tid and p.ctid < ${`(${page + PAGES_PER_STATEMENT},0)`}::tid
              and ${matchLimitsSql(gate)} ${condition ? sql`and ${condition}` : empty}`,
          NO_TIMEOUT,
        )
        for (const row of rows) if (matches(row)) candidates.push(candidateOf(row))
      }
  } catch (error) {
    if (error instanceof StatementError && error.code === NO_SUCH_TABLE) return undefined
    throw error
  }
  return candidates
}

export async function findNewestMatchCandidates(
  db: Db,
  gate: MatchLimits,
  { finder, limit }: { finder: ProjectNameMatcher; limit: number },
): Promise<MatchCandidate[]> {
  const rows = await db.query<SearchableProjectName & MatchCandidate>(
    sql`
      select p.project_id, p.department_id, p.name_search, ${spacedName(finder)}, p.movement_on, p.inside
      from (
        select p.*, ${reportWindowSql(gate)} as inside from projects p
        where p.movement_on is not null order by p.movement_on desc, p.project_id desc limit ${limit}::int
      ) p
      where p.inside and ${matchLimitsSql(gate)}`,
    NO_TIMEOUT,
  )
  return rows.filter((row) => finder.matches(row)).map(candidateOf)
}

const spacedName = ({ readsSpaced }: Pick<ProjectNameMatcher, 'readsSpaced'>) =>
  readsSpaced ? sql`p.name_spaced` : sql`'' as name_spaced`
const candidateOf = ({ project_id, movement_on, inside }: MatchCandidate): MatchCandidate => ({
  project_id,
  movement_on,
  inside,
})

export async function findStoredMatchCandidates(
  db: Db,
  organisationId: number,
  finder: ProjectNameMatcher,
): Promise<MatchCandidate[]> {
  const limit = 20_000
  const candidates: MatchCandidate[] = []
  for (let after = ''; ; ) {
    const rows = await db.query<SearchableProjectName & MatchCandidate>(
      sql`
      select stored.project_id, p.department_id, p.name_search, ${spacedName(finder)}, p.movement_on, true as inside
      from (
        (select m.project_id from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id > ${after}::text order by m.project_id limit ${limit}::int)
        union
        (select x.project_id from match_exclusions x where x.organisation_id = ${organisationId}::int and x.project_id > ${after}::text order by x.project_id limit ${limit}::int)
        order by project_id limit ${limit}::int
      ) stored left join projects p on p.project_id = stored.project_id
      order by stored.project_id`,
      NO_TIMEOUT,
    )
    for (const row of rows) if (row.name_search !== null && finder.matches(row)) candidates.push(candidateOf(row))
    if (rows.length < limit) return candidates
    after = rows.at(-1)!.project_id
  }
}

export async function findDocumentMatchCandidates(
  db: Db,
  organisationId: number,
  expressions: readonly string[],
): Promise<MatchCandidate[]> {
  if (expressions.length === 0) return []
  return db.query<MatchCandidate>(
    sql`
      select distinct p.project_id, p.movement_on, true as inside
      from document_matches x join keywords k on k.id = x.keyword_id join projects p on p.project_id = x.project_id
      where x.organisation_id = ${organisationId}::int and k.list = 'include' and k.word_key = any (${expressions.map(toKeywordKey)}::text[])`,
    NO_TIMEOUT,
  )
}

export async function findMatchCandidatesById(db: Db, projectIds: readonly string[]): Promise<MatchCandidate[]> {
  if (projectIds.length === 0) return []
  return db.query<MatchCandidate>(
    sql`select p.project_id, p.movement_on, true as inside from projects p where p.project_id = any (${[...projectIds]}::text[])`,
    NO_TIMEOUT,
  )
}

export async function loadDepartmentIdFinder(db: Db): Promise<DepartmentIdFinder> {
  const rows = await db.query<{ id: number; name: string; sub_name: string }>(
    sql`select id, name, sub_name from departments`,
    NO_TIMEOUT,
  )
  const idsByForm = new Map<string, number[]>()
  for (const { id, name, sub_name } of rows) {
    for (const form of new Set([
      toNormalisedSearchText(name),
      toNormalisedSearchText(sub_name === '' ? name : sub_name),
    ])) {
      const ids = idsByForm.get(form)
      if (ids) ids.push(id)
      else idsByForm.set(form, [id])
    }
  }
  return (forms) => new Set([...forms].flatMap((form) => idsByForm.get(form) ?? []))
}

export async function loadStoredMatchReasons(
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

export async function loadRulesVersion(db: Db, organisationId: number): Promise<number | undefined> {
  const [row] = await db.query<{ version: number }>(
    sql`select rules_version as version from organisations where id = ${organisationId}::int`,
  )
  return row?.version
}

export async function loadNewestDateOutsideReportWindow(db: Db, organisationId: number): Promise<string | null> {
  const [row] = await db.query<{ date: string | null }>(
    sql`select newest_outside_window as date from organisations where id = ${organisationId}::int`,
    NO_TIMEOUT,
  )
  return row?.date ?? null
}

export async function findProjectsByMovementDay(db: Db, day: string): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(
    sql`select project_id from projects where movement_on = ${day}::date`,
    NO_TIMEOUT,
  )
  return rows.map(({ project_id }) => project_id)
}
