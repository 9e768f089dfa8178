import { createHash } from 'node:crypto'
import { DOCUMENT_SOURCE } from '#contract/catalogue/fact-source.ts'
import type { FactValue } from '#contract/documents/document.ts'
import type { FeedRecord, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import {
  type DocumentValue,
  FILL_JOB,
  type FillableProject,
  fillableProjects,
  replaceValues,
  statedValues,
  storedValues,
} from '#server/documents/document-values.ts'
import { fillingKinds } from '#server/documents/fact-gate.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { defineJob, JobPostponed } from '#server/platform/queue/job.ts'
import { asOnlyLoader, LoadBusy, nightOf, runLoad } from '../load/run-load.ts'

const LOOK_AGAIN_MS = 30_000

/**
 * Fills empty project fields with facts that e-GP documents state with certainty, and clears them when a fact is no
 * longer trusted: its switch was turned off, or a newer version contradicts it. Both run as a load, so matches, caches,
 * notifications and pages follow. A field set by a feed source is never touched (decision 0077).
 */
export const fillFactsJob = defineJob<{ projects: string[] | null }>({
  ...FILL_JOB,
  concurrency: 1,
  maxAttempts: 8,
  backoff: { firstMs: 10_000, longestMs: 10 * 60_000 },
  merge: (payloads) => {
    const all = payloads.map(({ projects }) => projects)
    return { projects: all.includes(null) ? null : [...new Set(all.flatMap((some) => some ?? []))] }
  },
  async run({ db, now, signal, finish }, { projects }) {
    const wanted = await statedValues(db, await fillingKinds(db), projects)
    const stored = await storedValues(db, projects)
    const ids = [...new Set([...wanted, ...stored].map(({ projectId }) => projectId))]
    const records = recordsOf(await fillableProjects(db, ids), wanted)
    const settle = async (tx: Db) => {
      await replaceValues(tx, projects, wanted)
      await finish(tx)
    }
    if (records.length === 0) await db.transaction(settle)
    else {
      const load = { now, night: nightOf(now()), isIncrement: true, isFirstOfMany: true, within: settle }
      const source = sourceOf(records)
      const fingerprint = fingerprintOf(records, now())
      try {
        await asOnlyLoader(db, (lease) =>
          runLoad(db, lease, source, { ...load, signal, origin: 'documents', fingerprint }),
        )
      } catch (error) {
        if (!(error instanceof LoadBusy)) throw error
        throw new JobPostponed(new Date(now().getTime() + LOOK_AGAIN_MS))
      }
    }
    return { values: wanted.length, filled: records.length }
  },
})

export function recordsOf(projects: readonly FillableProject[], wanted: readonly DocumentValue[]): FeedRecord[] {
  const byProject = Map.groupBy(wanted, ({ projectId }) => projectId)
  return projects.flatMap(({ projectId, budget, estimate, day, heard, sources }) => {
    const stated = (field: DocumentValue['field']) =>
      byProject.get(projectId)?.find((one) => one.field === field)?.told.value
    const isOurs = (field: DocumentValue['field']) => sources[field]?.[0] === DOCUMENT_SOURCE
    const mayFill = (field: DocumentValue['field'], present: unknown) => present === null || isOurs(field)
    const said: { -readonly [key in keyof FeedRecord]?: FeedRecord[key] } = {}
    const money = { budget: satangOf(stated('budget')), estimate: satangOf(stated('estimate_budget')) }
    if (mayFill('budget', budget) && money.budget !== budget) said.budgetSatang = money.budget
    if (mayFill('estimate_budget', estimate) && money.estimate !== estimate) said.estimateSatang = money.estimate
    const last = lastDayOf(stated('submission_end_date'))
    if (mayFill('submission_end_date', day) && last.day !== day) {
      said.submissionEndsOn = last.day
      said.submissionTime = last.hours
    }
    const hearing = dayOf(stated('draft_discussion_end_date'))
    if (mayFill('draft_discussion_end_date', heard) && hearing !== heard) said.draftDiscussionEndsOn = hearing
    return Object.keys(said).length === 0 ? [] : [{ projectId, ...said }]
  })
}

const satangOf = (value: FactValue | undefined) => (value?.kind === 'amount' ? Math.round(value.baht * 100) : null)

const dayOf = (value: FactValue | undefined) => (value?.kind === 'date' ? value.date : null)

/** Formats as `2026-12-02`, `09:00-12:00`; times in documents are Bangkok time. */
function lastDayOf(value: FactValue | undefined): { readonly day: string | null; readonly hours: string | null } {
  if (value?.kind !== 'window') return { day: null, hours: null }
  const [from, to] = [value.from, value.to].map((moment) => [moment.slice(0, 10), moment.slice(11, 16)] as const)
  return { day: to![0], hours: from![0] === to![0] ? `${from![1]}-${to![1]}` : to![1] }
}

const sourceOf = (records: readonly FeedRecord[]): FeedSource => ({
  name: DOCUMENT_SOURCE,
  async *records(resumeAfterLine) {
    for (const [index, record] of records.entries()) if (index + 1 > resumeAfterLine) yield { line: index + 1, record }
  },
})

/** Includes the time: filling, clearing and refilling a field are three distinct loads. */
const fingerprintOf = (records: readonly FeedRecord[], at: Date) =>
  `${DOCUMENT_SOURCE}:${at.toISOString()}:${createHash('sha256').update(JSON.stringify(records)).digest('hex')}`
