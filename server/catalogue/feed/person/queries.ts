import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import type { Db } from '#server/platform/engine/db.ts'

const NO_TIMEOUT = { timeoutMs: 0 }

export async function readSealedPersonKeySecret(db: Db): Promise<string | undefined> {
  const [row] = await db.query<{ key: string }>(sql`select sealed_key as key from person_ids`)
  return row?.key
}

export async function writeSealedPersonKeySecret(db: Db, previousKey: string | undefined, key: string): Promise<void> {
  await db.execute(
    previousKey === undefined
      ? sql`insert into person_ids (sealed_key) values (${key}) on conflict do nothing`
      : sql`update person_ids set sealed_key = ${key} where sealed_key = ${previousKey}`,
  )
}

export type PersonalDataSweepState = { readonly load: number | null; readonly at: string | null }

export async function readLastPersonalDataSweep(db: Db): Promise<PersonalDataSweepState> {
  const [row] = await db.query<PersonalDataSweepState>(sql`select swept_load as load, swept_at as at from person_ids`)
  return row ?? { load: null, at: null }
}

export async function readPersonalDataSweepEnd(db: Db): Promise<PersonalDataSweepState> {
  const [row] = await db.query<PersonalDataSweepState>(sql`select coalesce(max(id), 0) as load, now() as at from loads`)
  return row!
}

export async function writeLastPersonalDataSweep(db: Db, { load, at }: PersonalDataSweepState): Promise<void> {
  await db.execute(sql`update person_ids set swept_load = ${load}::bigint, swept_at = ${at}::timestamptz`)
}

/** The condition of the partial indexes of migration 0111; both must be the same. */
const UNHASHED_ID_CONDITION = `!~ '^([0D][0-9]{12}|p:[a-p]*)$'`
export type TenderPartyTable = 'contracts' | 'bidders'
const TAX_ID_COLUMNS = { contracts: 'winner_tin', bidders: 'tin' } as const

export async function findUnhashedPersonIds(db: Db, table: TenderPartyTable, limit: number): Promise<string[]> {
  const tin = TAX_ID_COLUMNS[table]
  const rows = await db.query<{ id: string }>(
    sql`select distinct t.id from (
      select ${raw(tin)} as id from ${raw(table)} where ${raw(tin)} ${raw(UNHASHED_ID_CONDITION)} order by project_id limit ${limit}::int) t`,
    NO_TIMEOUT,
  )
  return rows.map(({ id }) => id)
}

export async function replacePersonIds(
  db: Db,
  table: TenderPartyTable,
  ids: ReadonlyMap<string, string | null>,
): Promise<number> {
  const tin = TAX_ID_COLUMNS[table]
  return await db.execute(
    sql`update ${raw(table)} t set ${raw(tin)} = m.stored
      from unnest(${[...ids.keys()]}::text[], ${[...ids.values()]}::text[]) as m (id, stored)
      where t.${raw(tin)} = m.id and t.${raw(tin)} ${raw(UNHASHED_ID_CONDITION)}`,
    NO_TIMEOUT,
  )
}

/**
 * Coarse prefilters in SQL for ids of people and, below, owners' names behind shop names. The application then decides
 * exactly.
 */
const ID_PATTERN = `[1-8๑-๘]([-–. ]?[0-9๐-๙]){12}|[0-9๐-๙]([-– ]?[0-9๐-๙xX*]){7,}[xX*]|[1-8]([.][0-9]+)?[eE][+]?12`
const OWNER_PATTERN = `โดย|[ (][bB][yY] |[(](นาย|นาง|น[.]|นส|ว่าที่|คุณ|ดร|[พรจสดม][.]|[mM][rsi])|.([/,:;|–— -]|เจ้าของ|ผู้จัดการ|ผู้ประกอบการ|ของ|c/o) ?(นาย|นาง|น[.])`

const mayContainId = (column: string): Sql => sql`${raw(column)} ~ ${ID_PATTERN}::text`
const mayContainName = (column: string): Sql => sql`${raw(column)} ~ ${`${ID_PATTERN}|${OWNER_PATTERN}`}::text`
const ofPerson = (column: string): Sql => sql`(${raw(column)} is null or ${raw(column)} like 'p:%')`

export async function findProjectsToRedact(db: Db, load: number): Promise<string[]> {
  const since = sql`p.written_load > ${load}::bigint`
  const rows = await db.query<{ id: string }>(
    sql`
      select p.project_id as id from projects p where ${since} and (${mayContainId('p.name')} or ${mayContainId('p.remark')} or ${mayContainName('p.winner_name')} or ${mayContainName('p.other_winners')})
      union select c.project_id from contracts c join projects p using (project_id)
        where ${since} and (${mayContainId('c.contract_no')} or (${ofPerson('c.winner_tin')} and ${mayContainName('c.winner_name')}))
      union select b.project_id from bidders b join projects p using (project_id)
        where ${since} and ${ofPerson('b.tin')} and ${mayContainName('b.name')}
      union select a.project_id from attachments a join projects p using (project_id) where ${since} and ${mayContainId('a.name')}
      order by 1`,
    NO_TIMEOUT,
  )
  return rows.map(({ id }) => id)
}

export type RedactedProjectTexts = {
  readonly projects: readonly {
    readonly project_id: string
    readonly name: string
    readonly name_search: string
    readonly name_spaced: string
    readonly remark: string | null
    readonly winner_name: string | null
    readonly other_winners: string | null
    readonly winner_search: string | null
    readonly winner_spaced: string | null
  }[]
  readonly contracts: readonly {
    readonly project_id: string
    readonly contract_no: string
    readonly number: string
    readonly name: string | null
  }[]
  readonly bidders: readonly { readonly project_id: string; readonly position: number; readonly name: string }[]
  readonly attachments: readonly { readonly project_id: string; readonly url: string; readonly name: string }[]
}

/**
 * Overwrites stored texts and their search columns with the redacted ones. `written_load` stays, because no facts
 * changed.
 */
export async function writeRedactedProjectTexts(
  tx: Db,
  { projects, contracts, bidders, attachments }: RedactedProjectTexts,
): Promise<void> {
  const rows = (list: readonly object[]) => sql`json_to_recordset(${JSON.stringify(list)}::text::json)`
  const statements = [
    projects.length > 0 &&
      sql`
        with t as (select * from ${rows(projects)} as t (project_id text, name text, name_search text, name_spaced text, remark text, winner_name text, other_winners text)),
        written as (
          update projects p set name = t.name, name_search = t.name_search, name_spaced = t.name_spaced, remark = t.remark, winner_name = t.winner_name,
            other_winners = t.other_winners
          from t where p.project_id = t.project_id)
        select 1`,
    projects.length > 0 &&
      sql`
        update project_texts x set name_search = t.name_search, winner_search = t.winner_search, winner_spaced = t.winner_spaced
        from ${rows(projects)} as t (project_id text, name_search text, winner_search text, winner_spaced text)
        join project_filters f on f.project_id = t.project_id where x.filters_id = f.id`,
    contracts.length > 0 &&
      sql`
        update contracts c set contract_no = t.number, winner_name = t.name
        from ${rows(contracts)} as t (project_id text, contract_no text, number text, name text)
        where c.project_id = t.project_id and c.contract_no = t.contract_no`,
    bidders.length > 0 &&
      sql`
        update bidders b set name = t.name from ${rows(bidders)} as t (project_id text, position smallint, name text)
        where b.project_id = t.project_id and b.position = t.position`,
    attachments.length > 0 &&
      sql`
        update attachments a set name = t.name from ${rows(attachments)} as t (project_id text, url text, name text)
        where a.project_id = t.project_id and a.url = t.url`,
  ]
  for (const statement of statements) if (statement) await tx.execute(statement, NO_TIMEOUT)
}

/**
 * A table with text columns that may contain an id of a person: its key, text columns, and a condition for rows written
 * since the last sweep.
 */
export type PersonalDataSweepTable = {
  readonly table: string
  readonly key: readonly string[]
  readonly texts: readonly string[]
  readonly isJson?: boolean
  readonly since: (swept: PersonalDataSweepState) => Sql
}

const afterLoad =
  (column = 'load_id') =>
  ({ load }: PersonalDataSweepState) =>
    load === null ? sql`true` : sql`${raw(column)} > ${load}::bigint`
const onlyOnce = ({ load }: PersonalDataSweepState) => sql`${load === null}::boolean`
/**
 * One hour of overlap: the previous version may still write announcements while the first process of this one sweeps.
 */
const afterTimestamp =
  (column: string) =>
  ({ at }: PersonalDataSweepState) =>
    at === null ? sql`true` : sql`${raw(column)} > ${at}::timestamptz - interval '1 hour'`

export const PERSONAL_DATA_SWEEP_TABLES: readonly PersonalDataSweepTable[] = [
  {
    table: 'project_changes',
    key: ['project_id', 'load_id', 'field'],
    texts: ['old_value', 'new_value'],
    since: afterLoad(),
  },
  { table: 'quarantined_rows', key: ['load_id', 'line'], texts: ['reason', 'raw'], since: afterLoad() },
  { table: 'loads', key: ['id'], texts: ['failure'], since: afterLoad('id') },
  { table: 'budget_quarantined_rows', key: ['load_id', 'line'], texts: ['reason', 'raw'], since: onlyOnce },
  { table: 'intake_announcements', key: ['id'], texts: ['title'], since: afterTimestamp('last_seen_at') },
  { table: 'document_pages', key: ['document_id', 'page'], texts: ['text', 'folded'], since: onlyOnce },
  { table: 'documents', key: ['id'], texts: ['facts'], isJson: true, since: onlyOnce },
  { table: 'purchase_plans', key: ['plan_id'], texts: ['title', 'title_key'], since: onlyOnce },
]

export type PersonalDataSweepRow = { readonly place: string; readonly texts: readonly (string | null)[] }

export async function findPersonalDataSweepRows(
  db: Db,
  { table, key, texts, since }: PersonalDataSweepTable,
  swept: PersonalDataSweepState,
): Promise<PersonalDataSweepRow[]> {
  const columns = texts.map((column) => `${column}::text`)
  const conditions = columns.map(table === 'project_changes' ? mayContainName : mayContainId)
  return await db.query<PersonalDataSweepRow>(
    sql`select json_build_array(${raw(key.join(', '))})::text as place, array[${raw(columns.join(', '))}] as texts
      from ${raw(table)} where ${since(swept)} and (${join(conditions, ' or ')})`,
    NO_TIMEOUT,
  )
}

export async function writePersonalDataSweepRows(
  db: Db,
  { table, key, texts, isJson = false }: PersonalDataSweepTable,
  rows: readonly PersonalDataSweepRow[],
): Promise<void> {
  if (rows.length === 0) return
  const rowKeys = rows.map(({ place }) => place)
  const columns = texts.map((_, index) => rows.map((row) => row.texts[index] ?? null))
  const values = columns.map((column) => sql`${column}::text[]`)
  await db.execute(
    sql`update ${raw(table)} t set ${raw(texts.map((column, index) => `${column} = m.text_${index}${isJson ? '::jsonb' : ''}`).join(', '))}
      from unnest(${rowKeys}::text[], ${join(values)})
        as m (place, ${raw(texts.map((_, index) => `text_${index}`).join(', '))})
      where json_build_array(${raw(key.map((column) => `t.${column}`).join(', '))})::text = m.place`,
    NO_TIMEOUT,
  )
}

export async function findStagedDataLoadChunks(db: Db): Promise<{ readonly loadId: number; readonly chunk: number }[]> {
  return await db.query(sql`select load_id as "loadId", chunk from staged_chunks order by load_id, chunk`)
}

export async function readStagedDataLoadChunk(tx: Db, loadId: number, chunk: number): Promise<FeedRecord[]> {
  const [row] = await tx.query<{ records: FeedRecord[] }>(
    sql`select records from staged_chunks where load_id = ${loadId} and chunk = ${chunk}::int for update`,
  )
  return row?.records ?? []
}

export async function writeStagedDataLoadChunk(
  tx: Db,
  loadId: number,
  chunk: number,
  records: readonly FeedRecord[],
): Promise<void> {
  await tx.execute(sql`
    update staged_chunks set records = ${JSON.stringify(records)}::text::json where load_id = ${loadId} and chunk = ${chunk}::int`)
}
