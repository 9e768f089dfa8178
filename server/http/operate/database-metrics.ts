import { Gauge, type Registry } from 'prom-client'
import { type LastDataLoad, readLastDataLoad } from '#server/catalogue/feed/load-queries.ts'
import { type IntakeSourceMetrics, readIntakeSourceMetrics } from '#server/catalogue/intake/intake-figures.ts'
import {
  type NotificationChannelMetrics,
  readNotificationChannelMetrics,
} from '#server/channels/channel/channel-figures.ts'
import { readWebhookMetrics, type WebhookMetrics } from '#server/channels/webhook/webhook-figures.ts'
import {
  type BackupKind,
  listRecordedBackups,
  readDatabaseSize,
  readWalArchiveStatus,
  type WalArchiveStatus,
} from '#server/platform/engine/backup/backup-runs.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { type JobMetrics, readJobMetrics } from '#server/platform/queue/job-metrics.ts'

const READ_INTERVAL_MS = 10_000
const BACKUP_KINDS: readonly BackupKind[] = ['file', 'base', 'drill']

type Figures = {
  readonly jobs: readonly JobMetrics[]
  readonly lastLoad: LastDataLoad | undefined
  readonly intake: readonly IntakeSourceMetrics[]
  readonly channels: readonly NotificationChannelMetrics[]
  readonly webhooks: WebhookMetrics
  readonly backups: Readonly<Partial<Record<BackupKind, string>>>
  readonly archive: WalArchiveStatus
  readonly bytes: number
}

export function addDatabaseMetrics(registry: Registry, db: Db, kinds: readonly string[]): void {
  let readAt = Number.NEGATIVE_INFINITY
  let cachedFigures: Promise<Figures | undefined> = Promise.resolve(undefined)
  async function readFigures(): Promise<Figures> {
    return {
      jobs: await readJobMetrics(db, kinds),
      lastLoad: await readLastDataLoad(db),
      intake: await readIntakeSourceMetrics(db),
      channels: await readNotificationChannelMetrics(db),
      webhooks: await readWebhookMetrics(db),
      backups: Object.fromEntries((await listRecordedBackups(db)).map(({ kind, endedAt }) => [kind, endedAt])),
      archive: await readWalArchiveStatus(db),
      bytes: await readDatabaseSize(db),
    }
  }
  function figures(): Promise<Figures | undefined> {
    const at = performance.now()
    if (at - readAt > READ_INTERVAL_MS) {
      readAt = at
      cachedFigures = runWithoutTenant(readFigures).catch(() => undefined)
    }
    return cachedFigures
  }
  const jobGauge = (name: string, help: string, pick: (job: JobMetrics) => number) =>
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
  jobGauge('jobs_waiting', 'Jobs that are due or running', ({ waiting }) => waiting)
  jobGauge('jobs_oldest_seconds', 'Seconds since the oldest due job became due', ({ oldestSeconds }) => oldestSeconds)
  jobGauge('jobs_running', 'Jobs running', ({ running }) => running)
  jobGauge('jobs_retried', 'Open jobs that failed at least once', ({ retried }) => retried)
  jobGauge('jobs_dead', 'Jobs dead-lettered within the last day', ({ dead }) => dead)
  jobGauge('jobs_done_last_hour', 'Jobs completed within the last hour', ({ doneLastHour }) => doneLastHour)
  jobGauge(
    'jobs_mean_seconds',
    'Mean duration in seconds of the jobs completed within the last hour',
    ({ meanSeconds }) => meanSeconds,
  )
  const loadGauge = (name: string, help: string, pick: (load: LastDataLoad) => number) =>
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
    'Unix time at which the newest load was published; NaN if there is none',
    (load) => new Date(load.publishedAt).getTime() / 1000,
  )
  loadGauge('load_duration_seconds', 'Duration of the newest load in seconds', (load) => load.seconds)
  const labelledGauge = (name: string, help: string, label: string, pick: (figures: Figures) => [string, number][]) =>
    new Gauge({
      ...{ name, help, labelNames: [label], registers: [registry] },
      async collect() {
        this.reset()
        const current = await figures()
        for (const [value, figure] of current ? pick(current) : []) this.set({ [label]: value }, figure)
      },
    })
  const channelGauge = (name: string, help: string, pick: (channel: NotificationChannelMetrics) => number) =>
    labelledGauge(name, help, 'channel', ({ channels }) => channels.map((channel) => [channel.channel, pick(channel)]))
  channelGauge('channel_waiting', 'Messages that are due but not sent', ({ waiting }) => waiting)
  channelGauge(
    'channel_oldest_seconds',
    'Seconds since the oldest unsent message became due',
    (channel) => channel.oldestSeconds,
  )
  channelGauge('channel_sent_last_day', 'Messages sent within the last day', ({ sent }) => sent)
  channelGauge('channel_failed_last_day', 'Messages that failed for good within the last day', ({ failed }) => failed)
  channelGauge(
    'channel_sent_timestamp_seconds',
    'Unix time of the last sent message; NaN if none was sent yet',
    ({ lastSentAt }) => (lastSentAt === null ? Number.NaN : new Date(lastSentAt).getTime() / 1000),
  )
  const webhookGauge = (name: string, help: string, pick: (of: WebhookMetrics) => Readonly<Record<string, number>>) =>
    labelledGauge(name, help, 'state', ({ webhooks }) => Object.entries(pick(webhooks)))
  webhookGauge('webhooks', 'Webhooks by state: on, switched off, paused automatically', ({ webhooks }) => webhooks)
  webhookGauge(
    'webhook_deliveries',
    'Webhook deliveries by state: waiting, delivered in the last hour, dead in the last day; attempts that failed in the last hour',
    ({ deliveries, failedTries }) => ({ ...deliveries, failed_last_hour: failedTries }),
  )
  const intakeGauge = (name: string, help: string, pick: (source: IntakeSourceMetrics) => number) =>
    labelledGauge(name, help, 'source', ({ intake }) => intake.map((source) => [source.source, pick(source)]))
  intakeGauge('intake_halted', '1 if the source refused access and an operator has to check it', ({ isHalted }) =>
    isHalted ? 1 : 0,
  )
  intakeGauge(
    'intake_full_night_timestamp_seconds',
    'Unix time at which all requests of a night were last completed; before the first such night, when the source was first queried',
    ({ fullNightSeconds }) => fullNightSeconds,
  )
  intakeGauge('intake_requests', 'Requests of the latest night', ({ requests }) => requests)
  intakeGauge(
    'intake_failed_requests',
    'Timeouts and refusals among the requests of the latest night',
    ({ failed }) => failed,
  )
  intakeGauge(
    'intake_new_items',
    'Announcements, or projects from files, received in the latest night',
    ({ newItems }) => newItems,
  )
  intakeGauge('intake_waiting', 'Pending requests or files of the latest night', ({ waiting }) => waiting)
  intakeGauge(
    'intake_missing_items',
    'Announcements of the last 30 days, or files, that could not be fetched',
    ({ missing }) => missing,
  )
  addRecoveryMetrics(registry, figures)
}

const secondsOf = (at: string | null | undefined) => (at ? new Date(at).getTime() / 1000 : 0)

/**
 * Adds the times of the last backups. Alarms compare these times with the current time, so a missing backup is reported
 * as made in 1970.
 */
function addRecoveryMetrics(registry: Registry, figures: () => Promise<Figures | undefined>): void {
  const gauge = (name: string, help: string, pick: (values: Figures) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const current = await figures()
        if (current) this.set(pick(current))
        else this.remove()
      },
    })
  new Gauge({
    name: 'backup_timestamp_seconds',
    help: 'Unix time of the last successful backup file, base backup for point-in-time recovery, or recovery drill; 0 if there was none',
    labelNames: ['kind'] as const,
    registers: [registry],
    async collect() {
      const current = await figures()
      this.reset()
      if (current) for (const kind of BACKUP_KINDS) this.set({ kind }, secondsOf(current.backups[kind]))
    },
  })
  gauge(
    'wal_archived_timestamp_seconds',
    'Unix time at which PostgreSQL last archived a WAL segment; 0 if it does not archive',
    ({ archive }) => secondsOf(archive.archivedAt),
  )
  gauge('wal_archive_failing', '1 if the latest attempt to archive WAL failed', ({ archive }) =>
    Number(archive.isFailing),
  )
  gauge('db_size_bytes', 'Size of the database on disk in bytes, without WAL', ({ bytes }) => bytes)
}
