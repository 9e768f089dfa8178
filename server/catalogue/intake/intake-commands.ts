import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { hasDemoData } from '#server/catalogue/feed/demo-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { TextCipher } from '#server/platform/engine/text-cipher.ts'
import { createOutgoingGet } from '#server/platform/outgoing/outgoing-get.ts'
import { cancelJobs, enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { type AnnouncementQuery, findLastAnsweredAnnouncementQuery } from './announcement-queries.ts'
import { findAnyDocumentLink, retryDocumentLinks } from './document-links.ts'
import { classifyDownloadError } from './download.ts'
import { buildFeedUrl, createFeedClient, type FeedClient } from './feed-client.ts'
import { retryFailedIntakeFiles } from './files.ts'
import {
  DEFAULT_INTAKE_SOURCE_SETTINGS,
  disableIntakeSource,
  enableIntakeSource,
  INTAKE_SOURCE_REQUIREMENTS,
  INTAKE_SOURCES,
  type IntakeSource,
  type IntakeSourceSettings,
  type IntakeSourceState,
  readFeedCoverage,
  readIntakeSourceState,
  recordNextIntakeSourceRun,
} from './intake-sources.ts'
import { buildIntakeSourceProbeUrl } from './list-files.ts'
import { findNightlyRunWindowAt, getNextNightlyRunWindow } from './opening-hours.ts'
import { type IntakeSourceOverview, readIntakeSourceOverviews } from './source-overviews.ts'

const payload = z.object({ source: z.enum(INTAKE_SOURCES) })
/** Intake job. There is one per enabled source, keyed by the source, so only one process runs a source at a time. */
export const INTAKE_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'intake', payload }

export class IntakeRejectedError extends Error {
  override readonly name = 'IntakeRejectedError'
  readonly reason: IntakeRejectionReason
  /** UTC ISO time from which the command can be executed. */
  readonly until: string | undefined

  constructor(reason: IntakeRejectionReason, message: string, until?: string) {
    super(message)
    this.reason = reason
    this.until = until
  }
}

export type IntakeRejectionReason =
  | 'contact'
  | 'address'
  | 'times'
  | 'pace'
  | 'key'
  | 'no_agencies'
  | 'sample_in'
  | 'off'
  | 'halted'
  | 'closed'
  | 'resting'
  | 'busy'
  | 'not_asked'
  | 'no_links'

export type IntakeRequest =
  | { readonly command: 'status' }
  | {
      readonly command: 'on'
      readonly source: IntakeSource
      readonly changes: Partial<IntakeSourceSettings>
      /** API key, stored encrypted. If omitted, the stored key stays. */
      readonly key?: string | undefined
      /**
       * If the command is refused because of demo data, the caller retires the demo data and repeats the command. This
       * feature does not handle that itself.
       */
      readonly retireSample?: boolean | undefined
    }
  | { readonly command: 'off' | 'run' | 'probe'; readonly source: IntakeSource }

export type IntakeResult =
  | { readonly sources: readonly IntakeSourceOverview[] }
  | { readonly done: string }
  | { readonly probe: { readonly address: string; readonly said: string; readonly ms: number } }

/**
 * Delay before the job restarts. Requests take at most ten seconds, so one still running in another process has ended
 * by then.
 */
const RESTART_DELAY_MS = 15_000

export async function runIntake(
  db: Db,
  request: IntakeRequest,
  now = new Date(),
  seal?: TextCipher,
): Promise<IntakeResult> {
  switch (request.command) {
    case 'status':
      return { sources: await readIntakeSourceOverviews(db, now) }
    case 'on':
      return await handleEnable(db, request, { now, seal })
    case 'off':
      await db.transaction(async (tx) => {
        await disableIntakeSource(tx, request.source)
        await cancelJobs(tx, INTAKE_JOB_TYPE, request.source, now)
      })
      return { done: `${request.source} is off; imported data stays` }
    case 'run':
      return await resumeSource(db, request.source, now)
    case 'probe':
      return await probeSource(db, request.source, now)
  }
}

const TIME_PATTERN = /^(?:[01]\d|2[0-3]):[0-5]\d$/

type EnableRequest = Extract<IntakeRequest, { readonly command: 'on' }>
type EnableContext = { readonly now: Date; readonly seal: TextCipher | undefined }

async function handleEnable(
  db: Db,
  { source, changes, key }: EnableRequest,
  { now, seal }: EnableContext,
): Promise<IntakeResult> {
  const stored = await readIntakeSourceState(db, source)
  const settings = { ...DEFAULT_INTAKE_SOURCE_SETTINGS[source], ...stored, ...changes }
  assertValidSettings(source, settings)
  if (INTAKE_SOURCE_REQUIREMENTS[source].key && key === undefined && !stored.hasKey)
    throw new IntakeRejectedError(
      'key',
      '--key: this source requires an API key; add --key and enter it at the prompt, never on the command line',
    )
  if (key !== undefined && !/^[\x21-\x7e]{8,200}$/.test(key))
    throw new IntakeRejectedError('key', '--key: must be 8 to 200 printable ASCII characters without blanks')
  if (key !== undefined && seal === undefined)
    throw new IntakeRejectedError('key', '--key: AUTH_SECRET must be set to encrypt the key')
  if (source === 'egp-rss' && (await readFeedCoverage(db, source, now)).agencies === 0)
    throw new IntakeRejectedError(
      'no_agencies',
      'no agencies to query: run `npm run import -- FILE --source egp-agencies` first (docs/operations.md)',
    )
  // Real data is never imported alongside demo data (decision 0053).
  if (await hasDemoData(db))
    throw new IntakeRejectedError(
      'sample_in',
      'the database contains demo data, which must not be mixed with real data: run `npm run admin -- retire-sample --confirm` first, or add --retire-sample to this command. The demo organisation keeps its demo data.',
    )
  await db.transaction(async (tx) => {
    await enableIntakeSource(tx, source, { ...settings, sealedKey: key === undefined ? undefined : seal?.seal(key) })
    await restartJob(tx, source, now)
  })
  const night = findNightlyRunWindowAt(settings, now)
  return {
    done: `${source} is on; ${night ? 'fetching starts now' : `the first night starts ${getNextNightlyRunWindow(settings, now).startsAt.toISOString()}`}`,
  }
}

function assertValidSettings(source: IntakeSource, settings: IntakeSourceSettings): void {
  const { address, contact, opensAt, closesAt, probeAt, paceMs } = settings
  const needs = INTAKE_SOURCE_REQUIREMENTS[source]
  if (needs.contact && (contact === null || !z.email().safeParse(contact).success))
    throw new IntakeRejectedError(
      'contact',
      '--contact: must be an e-mail address at which the operator of the source can reach you; it is sent with every request',
    )
  if (source !== 'folder' && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
    throw new IntakeRejectedError('address', '--address: must begin with http:// or https://')
  if (source === 'folder' && (address.trim() === '' || /^[a-z]+:\/\//i.test(address)))
    throw new IntakeRejectedError(
      'address',
      '--address: must be a folder, relative to the data folder or as an absolute path',
    )
  if (!['egp-rss', 'folder'].includes(source) && !/^https:|^http:\/\/127\.0\.0\.1[:/]/.test(address))
    throw new IntakeRejectedError('address', '--address: must begin with https://')
  if (![opensAt, closesAt, probeAt ?? opensAt].every((time) => TIME_PATTERN.test(time)))
    throw new IntakeRejectedError('times', '--window and --probe-at: must be times such as 17:30-08:30 and 12:00')
  if (!(paceMs >= needs.minPaceMs))
    throw new IntakeRejectedError('pace', `--pace: must be at least ${needs.minPaceMs / 1000} seconds`)
}

async function restartJob(tx: Db, source: IntakeSource, now: Date): Promise<void> {
  await cancelJobs(tx, INTAKE_JOB_TYPE, source, now)
  const runAt = new Date(now.getTime() + RESTART_DELAY_MS)
  await enqueueSingleJob(tx, INTAKE_JOB_TYPE, { payload: { source }, key: source, at: now, runAt })
  await recordNextIntakeSourceRun(tx, source, runAt)
}

/** Replans the nightly run and resumes. A cooldown or closing hours imposed by the remote side still apply. */
async function resumeSource(db: Db, source: IntakeSource, now: Date): Promise<IntakeResult> {
  const state = await readIntakeSourceState(db, source)
  if (!state.isOn) throw new IntakeRejectedError('off', `${source} is off`)
  if (state.haltedAt !== null)
    throw new IntakeRejectedError(
      'halted',
      `${source} halted after a refusal (${state.haltedReason}): check the reason, then switch the source on again`,
    )
  if (!findNightlyRunWindowAt(state, now)) {
    const opens = getNextNightlyRunWindow(state, now).startsAt.toISOString()
    throw new IntakeRejectedError('closed', `closed until ${opens}`, opens)
  }
  const isResting = state.stops > 0 && state.resumeAt !== null && new Date(state.resumeAt) > now
  if (isResting)
    throw new IntakeRejectedError('resting', `in cooldown until ${state.resumeAt}`, state.resumeAt ?? undefined)
  await db.transaction(async (tx) => {
    await tx.execute(sql`update intake_sources set night = null, listed_night = null where source = ${source}`)
    await (source === 'egp-documents' ? retryDocumentLinks(tx) : retryFailedIntakeFiles(tx, source))
    await restartJob(tx, source, now)
  })
  return { done: `${source} continues in ${RESTART_DELAY_MS / 1000} seconds` }
}

/** Sends one request immediately, at any hour, and stores nothing. Refused while the fetcher is running. */
async function probeSource(db: Db, source: IntakeSource, now: Date): Promise<IntakeResult> {
  if (source === 'folder')
    throw new IntakeRejectedError('not_asked', 'a folder cannot be probed; scan it with `run folder`')
  const state = await readIntakeSourceState(db, source)
  if (state.contact === null)
    throw new IntakeRejectedError('contact', `${source} has no contact address: switch it on first`)
  const link = source === 'egp-documents' ? await findAnyDocumentLink(db) : undefined
  if (source === 'egp-documents' && link === undefined)
    throw new IntakeRejectedError('no_links', 'the feed has delivered no document links yet: switch egp-rss on first')
  const [job] = await db.query(sql`
    select from jobs where kind = ${INTAKE_JOB_TYPE.kind} and key = ${source} and state = 'running' and lease_until > ${now.toISOString()}::timestamptz`)
  const isSoon = state.lastRequestAt !== null && now.getTime() - new Date(state.lastRequestAt).getTime() < state.paceMs
  if (job || isSoon) throw new IntakeRejectedError('busy', `a request to ${source} is in progress; see status`)
  await db.execute(
    sql`update intake_sources set last_request_at = ${now.toISOString()}::timestamptz where source = ${source}`,
  )
  return source === 'egp-rss' ? await probeFeed(db, state, state.contact) : await probeFiles(state, state.contact, link)
}

async function probeFeed(db: Db, { address }: IntakeSourceState, contact: string): Promise<IntakeResult> {
  const query = (await findLastAnsweredAnnouncementQuery(db)) ?? (await anyQuery(db))
  if (!query) throw new IntakeRejectedError('no_agencies', 'no agencies to query: import the agencies first')
  const sendQuery: FeedClient = createFeedClient({ address, contact })
  const startedAt = performance.now()
  const reply = await sendQuery(query, new AbortController().signal)
  const ms = Math.round(performance.now() - startedAt)
  const result =
    reply.kind === 'answer'
      ? `${reply.response.announcements.length} announcements, countbyday ${reply.response.dayCount ?? 'missing'}`
      : `${reply.kind}${'reason' in reply ? `: ${reply.reason}` : ''}`
  return { probe: { address: buildFeedUrl(address, query).href, said: result, ms } }
}

/** Requests a file and discards the body, because the beginning of the response is enough for a probe. */
async function probeFiles(state: IntakeSourceState, contact: string, link?: string): Promise<IntakeResult> {
  const address = link === undefined ? buildIntakeSourceProbeUrl(state, getBangkokToday(new Date())) : new URL(link)
  const { host } = link === undefined ? address : new URL(state.address)
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  const { signal } = new AbortController()
  try {
    const { status, headers, body } = await createOutgoingGet({ contact })(address, { host, signal })
    body.destroy()
    const details = [
      `HTTP ${status}`,
      headers['content-type'],
      headers['content-length'] && `${headers['content-length']} bytes`,
    ]
    return { probe: { address: address.href, said: details.filter(Boolean).join(', '), ms: elapsed() } }
  } catch (error) {
    const fault = classifyDownloadError(error, signal)
    const result = 'reason' in fault ? `${fault.kind}: ${fault.reason}` : fault.kind
    return { probe: { address: address.href, said: result, ms: elapsed() } }
  }
}

async function anyQuery(db: Db): Promise<AnnouncementQuery | undefined> {
  const [agency] = await db.query<{ code: string }>(
    sql`select code from intake_agencies order by rate desc, code limit 1`,
  )
  return (
    agency && { agency: agency.code, type: 'D0', day: '', unit: '', lastQueriedOn: null, hash: null, dayCount: null }
  )
}
