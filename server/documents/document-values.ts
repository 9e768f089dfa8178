import sql, { raw } from 'sql-template-tag'
import { z } from 'zod/mini'
import type { SourcedProjectFact } from '#contract/catalogue/fact-source.ts'
import type { DocumentFact, DocumentFactName } from '#contract/documents/document.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { findMismatchedFiles } from './find-mismatched-documents.ts'

/**
 * Job that fills empty project fields with values from documents and withdraws values that are no longer trusted. A
 * `projects` of null means all projects. The single key prevents concurrent runs.
 */
const payload = z.object({ projects: z.nullable(z.array(z.string())) })
export const FILL_PROJECT_FIELDS_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'document-fill', payload }
export const FILL_PROJECT_FIELDS_JOB_KEY = 'fill'

export const PROJECT_FIELDS_BY_DOCUMENT_FACT = {
  reference_price: 'estimate_budget',
  budget: 'budget',
  bid_window: 'submission_end_date',
  hearing_end: 'draft_discussion_end_date',
} as const satisfies Partial<Record<DocumentFactName, SourcedProjectFact>>
export type ProjectFieldDocumentFact = keyof typeof PROJECT_FIELDS_BY_DOCUMENT_FACT
export const PROJECT_FIELD_DOCUMENT_FACTS = Object.keys(PROJECT_FIELDS_BY_DOCUMENT_FACT) as ProjectFieldDocumentFact[]

export type DocumentFactValue = {
  readonly projectId: string
  readonly field: (typeof PROJECT_FIELDS_BY_DOCUMENT_FACT)[ProjectFieldDocumentFact]
  readonly told: DocumentFact
  readonly hash: string
  readonly name: string
}

const among = (projects: readonly string[] | null, column: string) =>
  projects === null ? sql`true` : sql`${raw(column)} = any (${[...projects]}::text[])`

type StoredFact = Omit<DocumentFactValue, 'field'> & { readonly fact: ProjectFieldDocumentFact }

/**
 * Returns facts that e-GP documents state reliably: clear, extracted by the current rule, in the newest version behind
 * each link, and identical in every document of the project. Excludes contradictory facts and documents that may belong
 * to another project. Called only by jobs.
 */
export async function loadStatedDocumentFactValues(
  db: Db,
  kinds: readonly { readonly fact: DocumentFactName; readonly rule: number }[],
  projects: readonly string[] | null,
): Promise<DocumentFactValue[]> {
  const rows = await db.query<StoredFact>(sql`
    select f.project_id as "projectId", f.fact, f.told, f.hash, f.name
    from fetched_facts f join json_to_recordset(${JSON.stringify(kinds)}::json) as k (fact text, rule int) on k.fact = f.fact and k.rule = f.rule
    join projects p on p.project_id = f.project_id
    where f.state = 'clear' and ${among(projects, 'f.project_id')}
      and not exists (
        select from documents a join documents b on b.project_id = a.project_id and b.link = a.link and b.fetched_at > a.fetched_at and b.hash <> a.hash
        where a.hash = f.hash and a.project_id = f.project_id)
    order by f.project_id, f.fact, f.read_at desc, f.hash`)
  const mismatched = await findMismatchedFiles(db, [...new Set(rows.map(({ hash }) => hash))])
  const trustedFacts = rows.filter(({ hash }) => !mismatched.has(hash))
  return [...Map.groupBy(trustedFacts, ({ projectId, fact }) => `${projectId} ${fact}`).values()].flatMap((facts) => {
    const { fact, ...first } = facts[0]!
    const isOneWord = facts.every(
      ({ told: storedFact }) => JSON.stringify(storedFact.value) === JSON.stringify(first.told.value),
    )
    return isOneWord && first.told.value ? [{ ...first, field: PROJECT_FIELDS_BY_DOCUMENT_FACT[fact] }] : []
  })
}

export function loadStoredDocumentFactValues(db: Db, projects: readonly string[] | null): Promise<DocumentFactValue[]> {
  return db.query<DocumentFactValue>(sql`
    select project_id as "projectId", fact as field, told, hash, name from document_values where ${among(projects, 'project_id')}
    order by project_id, fact`)
}

export async function replaceDocumentFactValues(
  tx: Db,
  projects: readonly string[] | null,
  values: readonly DocumentFactValue[],
): Promise<void> {
  await tx.execute(sql`delete from document_values where ${among(projects, 'project_id')}`)
  await tx.execute(sql`
    insert into document_values (project_id, fact, told, hash, name)
    select v."projectId", v.field, v.told, v.hash, v.name
    from json_to_recordset(${JSON.stringify(values)}::json) as v ("projectId" text, field text, told jsonb, hash text, name text)
    join projects p on p.project_id = v."projectId"`)
}

/**
 * Project fields that documents may fill. `sources` lists fields whose source differs from the one that created the
 * project.
 */
export type ProjectFillableFromDocuments = {
  readonly projectId: string
  readonly budget: number | null
  readonly estimate: number | null
  readonly day: string | null
  readonly draftDiscussionDay: string | null
  readonly sources: Readonly<Record<string, readonly [string, number]>>
}

export function loadProjectsFillableFromDocuments(
  db: Db,
  ids: readonly string[],
): Promise<ProjectFillableFromDocuments[]> {
  return db.query<ProjectFillableFromDocuments>(sql`
    select p.project_id as "projectId", p.budget_satang as budget, p.estimate_satang as estimate, p.submission_ends_on as day, p.draft_discussion_ends_on as "draftDiscussionDay",
      coalesce(f.fields, '{}') as sources
    from projects p left join field_sources f on f.project_id = p.project_id
    where p.project_id = any (${[...ids]}::text[]) order by p.project_id`)
}
