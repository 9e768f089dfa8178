import { createHash } from 'node:crypto'
import { DOCUMENT_FACT_SOURCE } from '#contract/catalogue/fact-source.ts'
import type { FactValue } from '#contract/documents/document.ts'
import type { FeedRecord, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import {
  type DocumentFactValue,
  FILL_PROJECT_FIELDS_JOB_TYPE,
  loadProjectsFillableFromDocuments,
  loadStatedDocumentFactValues,
  loadStoredDocumentFactValues,
  type ProjectFillableFromDocuments,
  replaceDocumentFactValues,
} from '#server/documents/document-values.ts'
import { loadProjectFieldDocumentFacts } from '#server/documents/fact-checks.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { defineJob, JobPostponedError } from '#server/platform/queue/job.ts'
import { DataLoadInProgressError, getNightlyRunDate, runDataLoad, withDataLoadLease } from '../load/run-load.ts'

const LOAD_BUSY_RETRY_MS = 30_000

/**
 * Fills empty project fields with facts that e-GP documents state with certainty, and clears them when a fact is no
 * longer trusted: its switch was turned off, or a newer version contradicts it. Both run as a load, so matches, caches,
 * notifications and pages follow. A field set by a feed source is never touched (decision 0077).
 */
export const fillProjectFieldsJob = defineJob<{ projects: string[] | null }>({
  ...FILL_PROJECT_FIELDS_JOB_TYPE,
  concurrency: 1,
  maxAttempts: 8,
  backoff: { firstMs: 10_000, maxMs: 10 * 60_000 },
  merge: (payloads) => {
    const projectLists = payloads.map(({ projects }) => projects)
    return {
      projects: projectLists.includes(null) ? null : [...new Set(projectLists.flatMap((projects) => projects ?? []))],
    }
  },
  async run({ db, now, signal, finish }, { projects }) {
    const values = await loadStatedDocumentFactValues(db, await loadProjectFieldDocumentFacts(db), projects)
    const stored = await loadStoredDocumentFactValues(db, projects)
    const ids = [...new Set([...values, ...stored].map(({ projectId }) => projectId))]
    const records = buildDocumentFactRecords(await loadProjectsFillableFromDocuments(db, ids), values)
    const settle = async (tx: Db) => {
      await replaceDocumentFactValues(tx, projects, values)
      await finish(tx)
    }
    if (records.length === 0) await db.transaction(settle)
    else {
      const load = { now, night: getNightlyRunDate(now()), isIncrement: true, isFirstOfMany: true, within: settle }
      const source = sourceOf(records)
      const fingerprint = fingerprintOf(records, now())
      try {
        await withDataLoadLease(db, (lease) =>
          runDataLoad(db, lease, source, { ...load, signal, origin: 'documents', fingerprint }),
        )
      } catch (error) {
        if (!(error instanceof DataLoadInProgressError)) throw error
        throw new JobPostponedError(new Date(now().getTime() + LOAD_BUSY_RETRY_MS))
      }
    }
    return { values: values.length, filled: records.length }
  },
})

function buildDocumentFactRecords(
  projects: readonly ProjectFillableFromDocuments[],
  values: readonly DocumentFactValue[],
): FeedRecord[] {
  const byProject = Map.groupBy(values, ({ projectId }) => projectId)
  return projects.flatMap(({ projectId, budget, estimate, day, draftDiscussionDay, sources }) => {
    const stated = (field: DocumentFactValue['field']) =>
      byProject.get(projectId)?.find((value) => value.field === field)?.told.value
    const isFromDocuments = (field: DocumentFactValue['field']) => sources[field]?.[0] === DOCUMENT_FACT_SOURCE
    const canFill = (field: DocumentFactValue['field'], present: unknown) => present === null || isFromDocuments(field)
    const changes: { -readonly [key in keyof FeedRecord]?: FeedRecord[key] } = {}
    const money = { budget: satangOf(stated('budget')), estimate: satangOf(stated('estimate_budget')) }
    if (canFill('budget', budget) && money.budget !== budget) changes.budgetSatang = money.budget
    if (canFill('estimate_budget', estimate) && money.estimate !== estimate) changes.estimateSatang = money.estimate
    const submission = submissionWindowOf(stated('submission_end_date'))
    if (canFill('submission_end_date', day) && submission.day !== day) {
      changes.submissionEndsOn = submission.day
      changes.submissionTime = submission.hours
    }
    const hearing = dayOf(stated('draft_discussion_end_date'))
    if (canFill('draft_discussion_end_date', draftDiscussionDay) && hearing !== draftDiscussionDay)
      changes.draftDiscussionEndsOn = hearing
    return Object.keys(changes).length === 0 ? [] : [{ projectId, ...changes }]
  })
}

const satangOf = (value: FactValue | undefined) => (value?.kind === 'amount' ? Math.round(value.baht * 100) : null)

const dayOf = (value: FactValue | undefined) => (value?.kind === 'date' ? value.date : null)

/** Returns the submission window, e.g. `2026-12-02` and `09:00-12:00`; times in documents are Bangkok time. */
function submissionWindowOf(value: FactValue | undefined): {
  readonly day: string | null
  readonly hours: string | null
} {
  if (value?.kind !== 'window') return { day: null, hours: null }
  const [from, to] = [value.from, value.to].map(
    (timestamp) => [timestamp.slice(0, 10), timestamp.slice(11, 16)] as const,
  )
  return { day: to![0], hours: from![0] === to![0] ? `${from![1]}-${to![1]}` : to![1] }
}

const sourceOf = (records: readonly FeedRecord[]): FeedSource => ({
  name: DOCUMENT_FACT_SOURCE,
  async *records(resumeAfterLine) {
    for (const [index, record] of records.entries()) if (index + 1 > resumeAfterLine) yield { line: index + 1, record }
  },
})

/**
 * Returns the fingerprint of the load. It includes the time, because filling, clearing and refilling a field are three
 * distinct loads.
 */
const fingerprintOf = (records: readonly FeedRecord[], at: Date) =>
  `${DOCUMENT_FACT_SOURCE}:${at.toISOString()}:${createHash('sha256').update(JSON.stringify(records)).digest('hex')}`
