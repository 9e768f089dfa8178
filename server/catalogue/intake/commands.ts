import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { isSampleIn } from '#server/catalogue/feed/sample-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { TextSeal } from '#server/platform/engine/sealed-text.ts'
import { createOutgoing } from '#server/platform/outgoing/get.ts'
import { cancelJobs, enqueue } from '#server/platform/queue/enqueue.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { type Ask, createAsk, feedAddress } from './ask-feed.ts'
import { faultOf } from './download.ts'
import { retryFailed } from './files.ts'
import { anyLink, retryLinks } from './links.ts'
import { probeAddress } from './list-files.ts'
import { readSources, type SourceOverview } from './overview.ts'
import { answeredQuestion, type Question } from './questions.ts'
import {
  DEFAULT_SETTINGS,
  INTAKE_SOURCES,
  type IntakeSource,
  readCoverage,
  readSource,
  recordNextRun,
  SOURCE_NEEDS,
  type SourceSettings,
  type SourceState,
  switchOff,
  switchOn,
} from './sources.ts'
import { nextNight, nightAt } from './window.ts'

const payload = z.object({ source: z.enum(INTAKE_SOURCES) })
/** One job per enabled source, keyed by the source, so only one process runs it at a time. */
export const INTAKE_JOB: JobType<z.output<typeof payload>> = { kind: 'intake', payload }

export class IntakeRefusal extends Error {
  override readonly name = 'IntakeRefusal'
  /** Code for a localised message in the UI. */
  readonly reason: RefusalReason
  /** UTC ISO time from which the command can be executed. */
  readonly until: string | undefined

  constructor(reason: RefusalReason, message: string, until?: string) {
    super(message)
    this.reason = reason
    this.until = until
  }
}

export type RefusalReason =
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
      readonly changes: Partial<SourceSettings>
      /** Stored sealed; omitted leaves the stored key. */
      readonly key?: string | undefined
      /**
       * If the command is refused because of demo data, the caller retires the demo data and repeats it; not handled in
       * this feature.
       */
      readonly retireSample?: boolean | undefined
    }
  | { readonly command: 'off' | 'run' | 'probe'; readonly source: IntakeSource }

export type IntakeAnswer =
  | { readonly sources: readonly SourceOverview[] }
  | { readonly done: string }
  | { readonly probe: { readonly address: string; readonly said: string; readonly ms: number } }

/** By then any request in another process has ended: requests take ten seconds at most. */
const SETTLED_MS = 15_000

/**
 * Implements `npm run intake`.
 * @throws IntakeRefusal
 */
export async function runIntake(
  db: Db,
  request: IntakeRequest,
  now = new Date(),
  seal?: TextSeal,
): Promise<IntakeAnswer> {
  switch (request.command) {
    case 'status':
      return { sources: await readSources(db, now) }
    case 'on':
      return await on(db, request, { now, seal })
    case 'off':
      await db.transaction(async (tx) => {
        await switchOff(tx, request.source)
        await cancelJobs(tx, INTAKE_JOB, request.source, now)
      })
      return { done: `${request.source} is off; what came stays` }
    case 'run':
      return await run(db, request.source, now)
    case 'probe':
      return await probe(db, request.source, now)
  }
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

type OnRequest = Extract<IntakeRequest, { readonly command: 'on' }>
type OnTools = { readonly now: Date; readonly seal: TextSeal | undefined }

async function on(db: Db, { source, changes, key }: OnRequest, { now, seal }: OnTools): Promise<IntakeAnswer> {
  const known = await readSource(db, source)
  const settings = { ...DEFAULT_SETTINGS[source], ...known, ...changes }
  assertUsable(source, settings)
  if (SOURCE_NEEDS[source].key && key === undefined && !known.hasKey)
    throw new IntakeRefusal(
      'key',
      '--key: the other side answers only with a key; it is asked for, never typed into the command',
    )
  if (key !== undefined && !/^[\x21-\x7e]{8,200}$/.test(key))
    throw new IntakeRefusal('key', '--key: 8 to 200 letters and digits without blanks')
  if (key !== undefined && seal === undefined)
    throw new IntakeRefusal('key', '--key: there is no secret to seal it with (AUTH_SECRET)')
  if (source === 'egp-rss' && (await readCoverage(db, source, now)).agencies === 0)
    throw new IntakeRefusal(
      'no_agencies',
      'nobody to ask about: first `npm run import -- FILE --source egp-agencies` (docs/operations.md)',
    )
  // Real data is never imported alongside demo data (decision 0053).
  if (await isSampleIn(db))
    throw new IntakeRefusal(
      'sample_in',
      'the sample is in, and real data must not stand beside it: first `npm run admin -- retire-sample --confirm`, or add --retire-sample to this command. The demo keeps its sample.',
    )
  await db.transaction(async (tx) => {
    await switchOn(tx, source, { ...settings, sealedKey: key === undefined ? undefined : seal?.seal(key) })
    await startAnew(tx, source, now)
  })
  const night = nightAt(settings, now)
  return {
    done: `${source} is on; ${night ? 'it begins at once' : `the first night begins ${nextNight(settings, now).begins.toISOString()}`}`,
  }
}

function assertUsable(source: IntakeSource, settings: SourceSettings): void {
  const { address, contact, opensAt, closesAt, probeAt, paceMs } = settings
  const needs = SOURCE_NEEDS[source]
  if (needs.contact && (contact === null || !z.email().safeParse(contact).success))
    throw new IntakeRefusal(
      'contact',
      '--contact: a mail address where the other side reaches you; it goes into every request',
    )
  if (source !== 'folder' && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
    throw new IntakeRefusal('address', '--address: must begin with http:// or https://')
  if (source === 'folder' && (address.trim() === '' || /^[a-z]+:\/\//i.test(address)))
    throw new IntakeRefusal('address', '--address: a folder, below the data folder or with its whole path')
  if (!['egp-rss', 'folder'].includes(source) && !/^https:|^http:\/\/127\.0\.0\.1[:/]/.test(address))
    throw new IntakeRefusal('address', '--address: must begin with https://')
  if (![opensAt, closesAt, probeAt ?? opensAt].every((time) => TIME.test(time)))
    throw new IntakeRefusal('times', '--window and --probe-at: times such as 17:30-08:30 and 12:00')
  if (!(paceMs >= needs.shortestPaceMs))
    throw new IntakeRefusal('pace', `--pace: at least ${needs.shortestPaceMs / 1000} seconds`)
}

async function startAnew(tx: Db, source: IntakeSource, now: Date): Promise<void> {
  await cancelJobs(tx, INTAKE_JOB, source, now)
  const runAt = new Date(now.getTime() + SETTLED_MS)
  await enqueue(tx, INTAKE_JOB, { payload: { source }, key: source, at: now, runAt })
  await recordNextRun(tx, source, runAt)
}

/** Replans the night and resumes. A cooldown or closed hours imposed by the remote side still apply. */
async function run(db: Db, source: IntakeSource, now: Date): Promise<IntakeAnswer> {
  const state = await readSource(db, source)
  if (!state.isOn) throw new IntakeRefusal('off', `${source} is off`)
  if (state.haltedAt !== null)
    throw new IntakeRefusal(
      'halted',
      `${source} was refused (${state.haltedReason}); look at it, then switch it on again`,
    )
  if (!nightAt(state, now)) {
    const opens = nextNight(state, now).begins.toISOString()
    throw new IntakeRefusal('closed', `closed until ${opens}`, opens)
  }
  const isResting = state.stops > 0 && state.resumeAt !== null && new Date(state.resumeAt) > now
  if (isResting)
    throw new IntakeRefusal('resting', `it was asked to rest until ${state.resumeAt}`, state.resumeAt ?? undefined)
  await db.transaction(async (tx) => {
    await tx.execute(sql`update intake_sources set night = null, listed_night = null where source = ${source}`)
    await (source === 'egp-documents' ? retryLinks(tx) : retryFailed(tx, source))
    await startAnew(tx, source, now)
  })
  return { done: `${source} goes on in ${SETTLED_MS / 1000} seconds` }
}

/** Sends one request immediately, at any hour, and stores nothing. Refused while the fetcher is running. */
async function probe(db: Db, source: IntakeSource, now: Date): Promise<IntakeAnswer> {
  if (source === 'folder') throw new IntakeRefusal('not_asked', 'a folder is not asked; look into it with `run folder`')
  const state = await readSource(db, source)
  if (state.contact === null) throw new IntakeRefusal('contact', `${source} has no contact address: switch it on first`)
  const link = source === 'egp-documents' ? await anyLink(db) : undefined
  if (source === 'egp-documents' && link === undefined)
    throw new IntakeRefusal('no_links', 'the feed has given no link yet: switch egp-rss on first')
  const [job] = await db.query(sql`
    select from jobs where kind = ${INTAKE_JOB.kind} and key = ${source} and state = 'running' and lease_until > ${now.toISOString()}::timestamptz`)
  const isSoon = state.lastRequestAt !== null && now.getTime() - new Date(state.lastRequestAt).getTime() < state.paceMs
  if (job || isSoon) throw new IntakeRefusal('busy', `${source} is being asked right now; see status`)
  await db.execute(
    sql`update intake_sources set last_request_at = ${now.toISOString()}::timestamptz where source = ${source}`,
  )
  return source === 'egp-rss' ? await probeFeed(db, state, state.contact) : await probeFiles(state, state.contact, link)
}

async function probeFeed(db: Db, { address }: SourceState, contact: string): Promise<IntakeAnswer> {
  const question = (await answeredQuestion(db)) ?? (await anyQuestion(db))
  if (!question) throw new IntakeRefusal('no_agencies', 'nobody to ask about: import the agencies first')
  const ask: Ask = createAsk({ address, contact })
  const started = performance.now()
  const reply = await ask(question, new AbortController().signal)
  const ms = Math.round(performance.now() - started)
  const said =
    reply.kind === 'answer'
      ? `${reply.answer.announcements.length} announcements, countbyday ${reply.answer.dayCount ?? 'missing'}`
      : `${reply.kind}${'reason' in reply ? `: ${reply.reason}` : ''}`
  return { probe: { address: feedAddress(address, question).href, said, ms } }
}

/** The beginning of a response is enough, so the body is discarded. */
async function probeFiles(state: SourceState, contact: string, link?: string): Promise<IntakeAnswer> {
  const address = link === undefined ? probeAddress(state, bangkokToday(new Date())) : new URL(link)
  const { host } = link === undefined ? address : new URL(state.address)
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const { signal } = new AbortController()
  try {
    const { status, headers, body } = await createOutgoing({ contact })(address, { host, signal })
    body.destroy()
    const said = [
      `HTTP ${status}`,
      headers['content-type'],
      headers['content-length'] && `${headers['content-length']} bytes`,
    ]
    return { probe: { address: address.href, said: said.filter(Boolean).join(', '), ms: elapsed() } }
  } catch (error) {
    const fault = faultOf(error, signal)
    const said = 'reason' in fault ? `${fault.kind}: ${fault.reason}` : fault.kind
    return { probe: { address: address.href, said, ms: elapsed() } }
  }
}

async function anyQuestion(db: Db): Promise<Question | undefined> {
  const [agency] = await db.query<{ code: string }>(
    sql`select code from intake_agencies order by rate desc, code limit 1`,
  )
  return agency && { agency: agency.code, type: 'D0', day: '', unit: '', askedOn: null, hash: null, dayCount: null }
}
