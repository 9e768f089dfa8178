import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { createTextCipher, type TextCipher } from '#server/platform/engine/text-cipher.ts'

export const INTAKE_SOURCES = ['egp-rss', 'egp-documents', 'cgd-api', 'ckan', 'ocds', 'agencies', 'folder'] as const
export type IntakeSource = (typeof INTAKE_SOURCES)[number]

export const INTAKE_SOURCE_LABELS: Readonly<Record<IntakeSource, string>> = {
  'egp-rss': 'ประกาศ e-GP (RSS)',
  'egp-documents': 'เอกสารประกาศ e-GP',
  'cgd-api': 'API สัญญาของกรมบัญชีกลาง',
  ckan: 'สัญญารายปีจาก data.go.th',
  ocds: 'OCDS ของกรุงเทพมหานคร',
  agencies: 'รายชื่อหน่วยงาน',
  folder: 'โฟลเดอร์ที่เฝ้าดู',
}

export const INTAKE_SOURCE_REQUIREMENTS: Readonly<
  Record<IntakeSource, { readonly contact: boolean; readonly key: boolean; readonly minPaceMs: number }>
> = {
  // No faster pace has ever been tried on the real feed, so 3 s is the minimum.
  'egp-rss': { contact: true, key: false, minPaceMs: 3_000 },
  'egp-documents': { contact: true, key: false, minPaceMs: 5_000 },
  'cgd-api': { contact: true, key: true, minPaceMs: 2_000 },
  ckan: { contact: true, key: false, minPaceMs: 2_000 },
  ocds: { contact: true, key: false, minPaceMs: 2_000 },
  agencies: { contact: true, key: false, minPaceMs: 2_000 },
  folder: { contact: false, key: false, minPaceMs: 1_000 },
}

export const isIntakeSource = (name: string): name is IntakeSource => INTAKE_SOURCES.some((source) => source === name)

/** Request settings of a source. Times are `HH:mm` in Bangkok. */
export type IntakeSourceSettings = {
  readonly address: string
  /** Parts to fetch (packages or fiscal years), comma-separated. Empty means the default, or a source without parts. */
  readonly parts: string
  /** Contact sent in the user agent, so that the remote side can reach the operator. */
  readonly contact: string | null
  readonly opensAt: string
  readonly closesAt: string
  readonly probeAt: string | null
  /** Milliseconds from the start of one request to the start of the next. */
  readonly paceMs: number
}

/**
 * The feed answered 17:30-08:30 in each of 384 probes of May 2026 (the manual states 17:01-08:29) and hung at every
 * other hour, including noon; noon was tried on one day only, so it is probed once a day. Sequential requests four
 * seconds apart were never refused.
 */
export const DEFAULT_INTAKE_SOURCE_SETTINGS: Readonly<Record<IntakeSource, Omit<IntakeSourceSettings, 'contact'>>> = {
  'egp-rss': {
    address: 'https://process3.gprocurement.go.th/EPROCRssFeedWeb/egpannouncerss.xml',
    parts: '',
    opensAt: '17:30',
    closesAt: '08:30',
    probeAt: '12:00',
    paceMs: 4_000,
  },
  // Fetches only links from the feed, from this host, in the feed's opening hours, after each tier is complete.
  'egp-documents': {
    address: 'https://process5.gprocurement.go.th/',
    ...{ parts: '', opensAt: '17:30', closesAt: '08:30', probeAt: null, paceMs: 5_000 },
  },
  // A key allows a thousand calls per day, i.e. a million projects.
  'cgd-api': {
    address: 'https://opend.data.go.th/govspending/service/egp-contract',
    ...{ parts: '', opensAt: '20:00', closesAt: '06:00', probeAt: null, paceMs: 5_000 },
  },
  // A year has ten files of half a gigabyte, so they load at night when no users are waiting.
  ckan: {
    address: 'https://data.go.th/api/3/action/',
    ...{ parts: '', opensAt: '20:00', closesAt: '06:00', probeAt: null, paceMs: 10_000 },
  },
  // The server regenerates these files weekly; there is one per fiscal year.
  ocds: {
    address: 'https://opencontract.bangkok.go.th/assets/data/output/yearly/ocds_releases_{year}.json',
    ...{ parts: '', opensAt: '20:00', closesAt: '06:00', probeAt: null, paceMs: 10_000 },
  },
  agencies: {
    address: 'https://data.go.th/api/3/action/',
    ...{ parts: '', opensAt: '18:00', closesAt: '22:00', probeAt: null, paceMs: 10_000 },
  },
  // The path is relative to the data folder unless absolute; the folder is polled once a minute all day.
  folder: { address: 'inbox', parts: '', opensAt: '00:00', closesAt: '00:00', probeAt: null, paceMs: 60_000 },
}

/** Current state of a source. Times are UTC ISO. */
export type IntakeSourceState = Omit<IntakeSourceSettings, 'contact'> & {
  readonly source: IntakeSource
  readonly isOn: boolean
  readonly contact: string | null
  readonly hasKey: boolean
  readonly listedNight: string | null
  readonly night: string | null
  readonly timeoutsInRow: number
  readonly stops: number
  readonly resumeAt: string | null
  readonly lastRequestAt: string | null
  readonly lastAnswerAt: string | null
  readonly nextRunAt: string | null
  readonly probedAt: string | null
  readonly probeAnswered: boolean | null
  readonly haltedAt: string | null
  readonly haltedReason: string | null
}

const INITIAL_STATE = {
  isOn: false,
  contact: null,
  hasKey: false,
  listedNight: null,
  night: null,
  timeoutsInRow: 0,
  stops: 0,
  resumeAt: null,
  lastRequestAt: null,
  lastAnswerAt: null,
  nextRunAt: null,
  probedAt: null,
  probeAnswered: null,
  haltedAt: null,
  haltedReason: null,
} as const

export async function readIntakeSourceState(db: Db, source: IntakeSource): Promise<IntakeSourceState> {
  const [row] = await db.query<IntakeSourceState>(sql`
    select source, is_on as "isOn", address, contact, opens_at as "opensAt", closes_at as "closesAt", probe_at as "probeAt", pace_ms as "paceMs",
      parts, sealed_key is not null as "hasKey", listed_night as "listedNight", night, timeouts_in_row as "timeoutsInRow", stops, resume_at as "resumeAt", last_request_at as "lastRequestAt", last_answer_at as "lastAnswerAt",
      next_run_at as "nextRunAt", probed_at as "probedAt", probe_answered as "probeAnswered", halted_at as "haltedAt", halted_reason as "haltedReason"
    from intake_sources where source = ${source}`)
  return row ?? { source, ...DEFAULT_INTAKE_SOURCE_SETTINGS[source], ...INITIAL_STATE }
}

/**
 * Enables a source with these settings and clears its halt, since an operator has checked it. Without `sealedKey`, the
 * stored key stays.
 */
export async function enableIntakeSource(
  tx: Db,
  source: IntakeSource,
  settings: IntakeSourceSettings & { readonly sealedKey?: string | undefined },
): Promise<void> {
  const { address, parts, contact, opensAt, closesAt, probeAt, paceMs, sealedKey = null } = settings
  await tx.execute(sql`
    insert into intake_sources as s (source, is_on, address, parts, contact, opens_at, closes_at, probe_at, pace_ms, sealed_key)
    values (${source}, true, ${address}, ${parts}, ${contact}, ${opensAt}, ${closesAt}, ${probeAt}, ${paceMs}::int, ${sealedKey})
    on conflict (source) do update set is_on = true, address = excluded.address, parts = excluded.parts, contact = excluded.contact,
      opens_at = excluded.opens_at, closes_at = excluded.closes_at, probe_at = excluded.probe_at, pace_ms = excluded.pace_ms,
      sealed_key = coalesce(excluded.sealed_key, s.sealed_key), timeouts_in_row = 0, stops = 0, resume_at = null, listed_night = null,
      halted_at = null, halted_reason = null`)
}

export async function disableIntakeSource(tx: Db, source: IntakeSource): Promise<void> {
  await tx.execute(sql`update intake_sources set is_on = false, next_run_at = null where source = ${source}`)
}

/** Encrypts API keys with the server secret, so the database alone does not reveal them. */
export const createIntakeSourceKeyCipher = (secrets: readonly [string, ...string[]]): TextCipher =>
  createTextCipher(secrets, 'tamngan key of a source')

export async function readSealedIntakeSourceApiKey(db: Db, source: IntakeSource): Promise<string | null> {
  const [row] = await db.query<{ sealed: string | null }>(
    sql`select sealed_key as sealed from intake_sources where source = ${source}`,
  )
  return row?.sealed ?? null
}

export async function recordNextIntakeSourceRun(db: Db, source: IntakeSource, at: Date): Promise<void> {
  await db.execute(
    sql`update intake_sources set next_run_at = ${at.toISOString()}::timestamptz where source = ${source} and is_on`,
  )
}

export type NightlyRunStatistics = {
  readonly night: string
  readonly begunAt: string
  readonly endedAt: string | null
  readonly planned: number
  readonly requests: number
  readonly answers: number
  readonly items: number
  readonly newItems: number
  readonly changedItems: number
  readonly unreadableItems: number
  readonly timeouts: number
  readonly refusals: number
  readonly fullAnswers: number
  readonly outcome: 'complete' | 'cut_short' | 'refused' | 'closed' | 'halted' | null
}

export async function listNightlyRuns(db: Db, source: IntakeSource, limit: number): Promise<NightlyRunStatistics[]> {
  return db.query<NightlyRunStatistics>(sql`
    select night, begun_at as "begunAt", ended_at as "endedAt", planned, requests, answers, items, new_items as "newItems",
      changed_items as "changedItems", unreadable_items as "unreadableItems", timeouts, refusals, full_answers as "fullAnswers", outcome
    from intake_nights where source = ${source} order by night desc limit ${limit}::int`)
}

export type FeedCoverage = {
  readonly agencies: number
  /** Agencies answered within the last seven days, the period that one response covers. */
  readonly reached: number
  readonly never: number
  readonly incomplete: number
  readonly missing: number
  readonly waiting: number
  readonly announcements: number
  readonly lastFullNight: string | null
}

export async function readFeedCoverage(db: Db, source: IntakeSource, now: Date): Promise<FeedCoverage> {
  const [row] = await db.query<FeedCoverage>(sql`
    select (select count(*) from intake_agencies)::int as agencies,
      (select count(*) from intake_agencies where answered_at > ${now.toISOString()}::timestamptz - interval '7 days')::int as reached,
      (select count(*) from intake_agencies where answered_at is null)::int as never,
      (select count(distinct agency) from intake_gaps where found < expected)::int as incomplete,
      (select coalesce(sum(expected - found), 0) from intake_gaps where found < expected)::int as missing,
      (select count(*) from intake_queries where is_planned)::int as waiting,
      (select count(*) from intake_announcements where source = ${source})::int as announcements,
      (select max(ended_at) from intake_nights where source = ${source} and outcome = 'complete') as "lastFullNight"`)
  return row!
}
