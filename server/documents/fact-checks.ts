import sql from 'sql-template-tag'
import {
  DOCUMENT_FACT_NAMES,
  DOCUMENT_FACTS,
  type DocumentFact,
  type DocumentFactName,
  type DocumentReadResult,
} from '#contract/documents/document.ts'
import {
  type DocumentFactCheck,
  type DocumentFactStatus,
  isDocumentFactAccuracyTrusted,
} from '#contract/documents/fact-statuses.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import {
  FILL_PROJECT_FIELDS_JOB_KEY,
  FILL_PROJECT_FIELDS_JOB_TYPE,
  PROJECT_FIELD_DOCUMENT_FACTS,
  PROJECT_FIELDS_BY_DOCUMENT_FACT,
} from './document-values.ts'
import type { DocumentFactDisplaySettings } from './queries.ts'

/**
 * Extraction rule versions, default 1. Increase a fact's version when its rule changes: the manual checks then start
 * over, and until they are done only the sentence is shown.
 */
const RULE_VERSIONS: Readonly<Partial<Record<DocumentFactName, number>>> = {}
const ruleOf = (fact: DocumentFactName) => RULE_VERSIONS[fact] ?? 1

/**
 * The first readings after a fact is switched on define the baseline share of unsure ones; this is their number. The
 * same number of later readings is compared with it.
 */
const BASELINE_READINGS = 200
const RECENT_READINGS = 50
/**
 * A fact is switched off when the unsure share of its last 50 readings exceeds the baseline by this much: 0.2 is 20 of
 * 100.
 */
const UNSURE_JUMP = 0.2
const FACT_RULES_JSON = JSON.stringify(DOCUMENT_FACT_NAMES.map((fact) => ({ fact, rule: ruleOf(fact) })))

export const isDocumentFactName = (name: string): name is DocumentFactName => Object.hasOwn(DOCUMENT_FACTS, name)

export async function loadTrustedDocumentFactNames(db: Db): Promise<ReadonlySet<DocumentFactName>> {
  const rows = await db.query<{ fact: DocumentFactName; rule: number }>(
    sql`select fact, rule from fact_switches where is_on`,
  )
  return new Set(rows.flatMap(({ fact, rule }) => (isDocumentFactName(fact) && rule === ruleOf(fact) ? [fact] : [])))
}

export const loadDocumentFactDisplaySettings = async ({
  db,
  readsPictures,
}: Omit<DocumentFactDisplaySettings, 'trustedFacts'> & { readonly db: Db }): Promise<DocumentFactDisplaySettings> => ({
  trustedFacts: await loadTrustedDocumentFactNames(db),
  readsPictures,
})

export async function loadProjectFieldDocumentFacts(
  db: Db,
): Promise<{ readonly fact: DocumentFactName; readonly rule: number }[]> {
  const trustedFacts = await loadTrustedDocumentFactNames(db)
  return PROJECT_FIELD_DOCUMENT_FACTS.filter((fact) => trustedFacts.has(fact)).map((fact) => ({
    fact,
    rule: ruleOf(fact),
  }))
}

async function enqueueFill(tx: Db, fact: DocumentFactName, at: Date): Promise<void> {
  if (!Object.hasOwn(PROJECT_FIELDS_BY_DOCUMENT_FACT, fact)) return
  await enqueueSingleJob(tx, FILL_PROJECT_FIELDS_JOB_TYPE, {
    key: FILL_PROJECT_FIELDS_JOB_KEY,
    dedupeKey: 'all',
    payload: { projects: null },
    at,
  })
}

const FILL_DELAY_MS = 30_000

export async function loadDocumentFactStatuses(db: Db): Promise<DocumentFactStatus[]> {
  const rows = await db.query<Omit<DocumentFactStatus, 'label'> & { fact: DocumentFactName }>(sql`
    select r.fact, coalesce(s.is_on and s.rule = r.rule, false) as is_on, s.switched_by, s.switched_at,
      c.right, c.wrong, w.waiting, u.unsure_share
    from json_to_recordset(${FACT_RULES_JSON}::json) as r (fact text, rule int)
    left join fact_switches s on s.fact = r.fact
    cross join lateral (
      select count(*) filter (where is_right)::int as right, count(*) filter (where not is_right)::int as wrong
      from fact_checks c where c.fact = r.fact and c.rule = r.rule) c
    cross join lateral (
      select count(*)::int as waiting from fetched_facts f where f.fact = r.fact and f.rule = r.rule and f.state = 'clear'
        and not exists (select from fact_checks c where c.hash = f.hash and c.fact = f.fact and c.rule = f.rule)) w
    cross join lateral (
      select avg((l.state = 'unsure')::int)::float8 as unsure_share from (
        select state from fetched_facts f where f.fact = r.fact order by f.read_at desc limit ${BASELINE_READINGS}::int) l) u`)
  return rows.map((row) => ({
    ...row,
    label: DOCUMENT_FACTS[row.fact].label,
    switched_at: row.switched_at === null ? null : new Date(row.switched_at).toISOString(),
  }))
}

/**
 * Returns a clear reading that no operator has checked yet. Hash order is as good as random and the same for every
 * operator.
 */
export async function findNextDocumentFactCheck(
  db: Db,
  fact: DocumentFactName,
): Promise<DocumentFactCheck | undefined> {
  const [row] = await db.query<DocumentFactCheck>(sql`
    select f.hash, f.project_id, f.name, f.told from fetched_facts f
    where f.fact = ${fact} and f.rule = ${ruleOf(fact)}::int and f.state = 'clear'
      and not exists (select from fact_checks c where c.hash = f.hash and c.fact = f.fact and c.rule = f.rule)
    order by f.hash limit 1`)
  return row
}

/** True for files fetched from e-GP. Operators may see only these, never files uploaded by users. */
export async function isFetchedDocumentFile(db: Db, hash: string): Promise<boolean> {
  return (await db.query(sql`select from fetched_facts where hash = ${hash} limit 1`)).length > 0
}

export async function saveDocumentFactCheck(
  tx: Db,
  { fact, hash, isRight }: { readonly fact: DocumentFactName; readonly hash: string; readonly isRight: boolean },
  at: Date,
): Promise<boolean> {
  const saved = await tx.execute(sql`
    insert into fact_checks (hash, fact, rule, is_right, checked_at)
    select f.hash, f.fact, f.rule, ${isRight}::boolean, ${at.toISOString()}::timestamptz from fetched_facts f
    where f.hash = ${hash} and f.fact = ${fact} and f.rule = ${ruleOf(fact)}::int and f.state = 'clear'
    on conflict (hash, fact, rule) do update set is_right = excluded.is_right, checked_at = excluded.checked_at`)
  return saved > 0
}

/**
 * Shows or hides the values of a fact. Returns `unproven` if there are too few manual checks, or too many wrong ones,
 * to show them.
 */
export async function setDocumentFactDisplayed(
  tx: Db,
  fact: DocumentFactName,
  isOn: boolean,
  at: Date,
): Promise<'done' | 'unproven'> {
  const status = (await loadDocumentFactStatuses(tx)).find((candidate) => candidate.fact === fact)!
  if (isOn && !isDocumentFactAccuracyTrusted(status)) return 'unproven'
  await tx.execute(sql`
    insert into fact_switches (fact, is_on, rule, switched_at, switched_by, unsure_share)
    values (${fact}, ${isOn}::boolean, ${ruleOf(fact)}::int, ${at.toISOString()}::timestamptz, 'operator', ${status.unsure_share ?? 0}::float8)
    on conflict (fact) do update set is_on = excluded.is_on, rule = excluded.rule, switched_at = excluded.switched_at,
      switched_by = excluded.switched_by, unsure_share = excluded.unsure_share`)
  await enqueueFill(tx, fact, at)
  return 'done'
}

/**
 * Stores the facts of a fetched document for operators to check, and switches off facts that are unsure more often than
 * before. Called only by jobs.
 */
export async function storeFetchedDocumentFacts(
  tx: Db,
  hash: string,
  { facts }: DocumentReadResult,
  at: Date,
): Promise<void> {
  const [document] = await tx.query<{ project_id: string; name: string }>(
    sql`select project_id, name from documents where hash = ${hash} and link is not null order by id limit 1`,
  )
  if (!document) return
  const firstByName = new Map<DocumentFactName, DocumentFact>()
  for (const fact of facts) if (!firstByName.has(fact.fact)) firstByName.set(fact.fact, fact)
  const rows = [...firstByName.values()].map((fact) => ({
    fact: fact.fact,
    state: fact.state,
    told: fact,
    rule: ruleOf(fact.fact),
  }))
  await tx.execute(sql`
    insert into fetched_facts (hash, fact, state, told, rule, project_id, name, read_at)
    select ${hash}, r.fact, r.state, r.told, r.rule, ${document.project_id}, ${document.name}, ${at.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(rows).replaceAll('\\u0000', ' ')}::json) as r (fact text, state text, told jsonb, rule int)
    on conflict (hash, fact) do update set state = excluded.state, told = excluded.told, rule = excluded.rule`)
  for (const fact of firstByName.keys()) await disableWhenUnsure(tx, fact, at)
  if ((await loadProjectFieldDocumentFacts(tx)).length === 0) return
  const projectId = document.project_id
  const runAt = new Date(at.getTime() + FILL_DELAY_MS)
  await enqueueSingleJob(tx, FILL_PROJECT_FIELDS_JOB_TYPE, {
    key: FILL_PROJECT_FIELDS_JOB_KEY,
    dedupeKey: projectId,
    payload: { projects: [projectId] },
    at,
    runAt,
  })
}

async function disableWhenUnsure(tx: Db, fact: DocumentFactName, at: Date): Promise<void> {
  const undone = await tx.execute(sql`
    update fact_switches s set is_on = false, switched_by = 'unsure', switched_at = ${at.toISOString()}::timestamptz
    where s.fact = ${fact} and s.is_on and (
      select count(*) = ${RECENT_READINGS}::int and avg((l.state = 'unsure')::int) >= s.unsure_share + ${UNSURE_JUMP}::float8
      from (select f.state from fetched_facts f where f.fact = s.fact and f.read_at > s.switched_at order by f.read_at desc limit ${RECENT_READINGS}::int) l)`)
  if (undone === 0) return
  await enqueueFill(tx, fact, at)
  await recordAuditEvent(tx, {
    kind: 'changed_by_admin',
    at,
    address: 'document job',
    requestId: '-',
    detail: { did: 'fact-undone', fact },
  })
}
