import { Gauge, type Registry } from 'prom-client'
import { type LastLoad, readLastLoad } from '#server/catalogue/feed/load-queries.ts'
import { type IntakeFigures, readIntakeFigures } from '#server/catalogue/intake/figures.ts'
import { type ChannelFigures, readChannelFigures } from '#server/channels/channel/figures.ts'
import { readWebhookFigures, type WebhookFigures } from '#server/channels/webhook/figures.ts'
import {
  type ArchiveFigures,
  type BackupKind,
  readArchive,
  readBackups,
  readSize,
} from '#server/platform/engine/backup/backup-runs.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { type JobFigures, readJobFigures } from '#server/platform/queue/figures.ts'

/** Minimum interval between database reads, however many scrapers there are. */
const KEPT_MS = 10_000
const BACKUP_KINDS: readonly BackupKind[] = ['file', 'base', 'drill']

type Figures = {
  readonly jobs: readonly JobFigures[]
  readonly lastLoad: LastLoad | undefined
  readonly intake: readonly IntakeFigures[]
  readonly channels: readonly ChannelFigures[]
  readonly webhooks: WebhookFigures
  readonly backups: Readonly<Partial<Record<BackupKind, string>>>
  readonly archive: ArchiveFigures
  readonly bytes: number
}

/**
 * Adds figures from the database: jobs, loads, sources, channels, webhooks, backups. They are omitted while it does not
 * answer.
 */
export function addDatabaseMetrics(registry: Registry, db: Db, kinds: readonly string[]): void {
  let askedAt = Number.NEGATIVE_INFINITY
  let kept: Promise<Figures | undefined> = Promise.resolve(undefined)
  async function read(): Promise<Figures> {
    return {
      jobs: await readJobFigures(db, kinds),
      lastLoad: await readLastLoad(db),
      intake: await readIntakeFigures(db),
      channels: await readChannelFigures(db),
      webhooks: await readWebhookFigures(db),
      backups: Object.fromEntries((await readBackups(db)).map(({ kind, endedAt }) => [kind, endedAt])),
      archive: await readArchive(db),
      bytes: await readSize(db),
    }
  }
  function figures(): Promise<Figures | undefined> {
    const at = performance.now()
    if (at - askedAt > KEPT_MS) {
      askedAt = at
      kept = asOwner(read).catch(() => undefined)
    }
    return kept
  }
  const jobGauge = (name: string, help: string, pick: (job: JobFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['job'] as const,
      registers: [registry],
      async collect() {
        this.reset()
        for (const job of (await figures())?.jobs ?? []) this.set({ job: job.job }, pick(job))
      },
    })
  jobGauge('jobs_waiting', 'Jobs that are due or at work', ({ waiting }) => waiting)
  jobGauge('jobs_oldest_seconds', 'How long the oldest of them has been due', ({ oldestSeconds }) => oldestSeconds)
  jobGauge('jobs_running', 'Jobs at work', ({ running }) => running)
  jobGauge('jobs_retried', 'Open jobs that failed at least once', ({ retried }) => retried)
  jobGauge('jobs_dead', 'Jobs given up within the last day', ({ dead }) => dead)
  jobGauge('jobs_done_last_hour', 'Jobs that ended well within the last hour', ({ doneLastHour }) => doneLastHour)
  jobGauge('jobs_mean_seconds', 'How long these took on average', ({ meanSeconds }) => meanSeconds)
  const loadGauge = (name: string, help: string, pick: (load: LastLoad) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const load = (await figures())?.lastLoad
        this.set(load ? pick(load) : Number.NaN)
      },
    })
  loadGauge(
    'load_published_timestamp_seconds',
    'When the newest load was published, Unix time; NaN when there is none',
    (load) => new Date(load.publishedAt).getTime() / 1000,
  )
  loadGauge('load_duration_seconds', 'How long the newest load took', (load) => load.seconds)
  const labelled = (name: string, help: string, label: string, read: (all: Figures) => [string, number][]) =>
    new Gauge({
      ...{ name, help, labelNames: [label], registers: [registry] },
      async collect() {
        this.reset()
        const all = await figures()
        for (const [value, figure] of all ? read(all) : []) this.set({ [label]: value }, figure)
      },
    })
  const channelGauge = (name: string, help: string, pick: (channel: ChannelFigures) => number) =>
    labelled(name, help, 'channel', ({ channels }) => channels.map((each) => [each.channel, pick(each)]))
  channelGauge('channel_waiting', 'Messages that are due and not sent', ({ waiting }) => waiting)
  channelGauge('channel_oldest_seconds', 'How long the oldest of them has been due', (each) => each.oldestSeconds)
  channelGauge('channel_sent_last_day', 'Messages sent within the last day', ({ sent }) => sent)
  channelGauge('channel_failed_last_day', 'Messages given up within the last day', ({ failed }) => failed)
  channelGauge(
    'channel_sent_timestamp_seconds',
    'When one was sent last, Unix time; NaN before the first',
    ({ lastSentAt }) => (lastSentAt === null ? Number.NaN : new Date(lastSentAt).getTime() / 1000),
  )
  const webhookGauge = (name: string, help: string, pick: (of: WebhookFigures) => Readonly<Record<string, number>>) =>
    labelled(name, help, 'state', ({ webhooks }) => Object.entries(pick(webhooks)))
  webhookGauge('webhooks', 'Webhooks that send, are switched off, or paused themselves', ({ webhooks }) => webhooks)
  webhookGauge(
    'webhook_deliveries',
    'Deliveries that wait, arrived within the last hour, were given up within the last day; tries of the last hour that failed',
    ({ deliveries, failedTries }) => ({ ...deliveries, failed_last_hour: failedTries }),
  )
  const intakeGauge = (name: string, help: string, pick: (source: IntakeFigures) => number) =>
    labelled(name, help, 'source', ({ intake }) => intake.map((each) => [each.source, pick(each)]))
  intakeGauge('intake_halted', '1 when the other side said no and an operator has to look', ({ isHalted }) =>
    isHalted ? 1 : 0,
  )
  intakeGauge(
    'intake_full_night_timestamp_seconds',
    'When all questions of a night had been asked last, Unix time; before the first, when the source was first asked',
    ({ fullNightSeconds }) => fullNightSeconds,
  )
  intakeGauge('intake_requests', 'Requests of the newest night', ({ requests }) => requests)
  intakeGauge('intake_failed_requests', 'Of these, timeouts and refusals', ({ failed }) => failed)
  intakeGauge(
    'intake_new_items',
    'Announcements, or projects of files, that the newest night brought',
    ({ newItems }) => newItems,
  )
  intakeGauge('intake_waiting', 'Questions or files of the newest night that wait', ({ waiting }) => waiting)
  intakeGauge(
    'intake_missing_items',
    'Announcements of the last 30 days that could not be had, or files',
    ({ missing }) => missing,
  )
  addRecoveryMetrics(registry, figures)
}

const secondsOf = (at: string | null | undefined) => (at ? new Date(at).getTime() / 1000 : 0)

/**
 * Adds the times of the last backups. Alarms compare them with now, so a backup that was never made is reported as
 * 1970.
 */
function addRecoveryMetrics(registry: Registry, figures: () => Promise<Figures | undefined>): void {
  const gauge = (name: string, help: string, pick: (all: Figures) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const all = await figures()
        if (all) this.set(pick(all))
        else this.remove()
      },
    })
  new Gauge({
    name: 'backup_timestamp_seconds',
    help: 'When a backup file, a base of a restore to a moment, or a drill of one ended well last, Unix time; 0 when there was none',
    labelNames: ['kind'] as const,
    registers: [registry],
    async collect() {
      const all = await figures()
      this.reset()
      if (all) for (const kind of BACKUP_KINDS) this.set({ kind }, secondsOf(all.backups[kind]))
    },
  })
  gauge(
    'wal_archived_timestamp_seconds',
    'When PostgreSQL archived a piece of its log last, Unix time; 0 where it archives none',
    ({ archive }) => secondsOf(archive.archivedAt),
  )
  gauge('wal_archive_failing', '1 while the newest try to archive the log failed', ({ archive }) =>
    Number(archive.isFailing),
  )
  gauge('db_size_bytes', 'What the database takes on its disk, without its log', ({ bytes }) => bytes)
}
