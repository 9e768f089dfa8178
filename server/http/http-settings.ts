import type { DemoLogin } from '#contract/account/session.ts'
import type { NotificationChannel } from '#contract/channels/channel.ts'
import type { DemoDataProgress } from '#contract/readiness.ts'
import type { TxtRecordResolver } from '#server/account/organisation-login/domain-proof.ts'
import type { OrganisationLoginSettings } from '#server/account/organisation-login/providers.ts'
import type { LineSettings } from '#server/channels/line/line-settings.ts'
import type { PushContext } from '#server/channels/push/routes.ts'
import type { LanguageModelSettings } from '#server/documents/answer/language-model.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import type { EmbeddingsProviderSettings } from '#server/matching/meaning/embeddings-provider.ts'
import { createOutgoingMailQueue, type OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'

export type HttpSettings = {
  /**
   * Signing secrets, at least 32 characters each. The first signs tokens, and tokens signed by any of them are valid,
   * so a secret can be rotated without logging users out.
   */
  readonly authSecrets: readonly [string, ...string[]]
  /** Public URL, e.g. `https://tamngan.example`. With https, cookies are Secure and HSTS is sent. */
  readonly publicUrl?: string | undefined
  readonly distDir?: string | undefined
  readonly sentryDsn?: string | undefined
  readonly contactUrl?: string | undefined
  readonly sampleLogin?: DemoLogin | undefined
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  readonly logStream?: { write(line: string): void }
  /** IP addresses or networks of proxies whose `X-Forwarded-For` is trusted. None by default (R5). */
  readonly trustedProxies?: readonly string[]
  /**
   * Base URL in emails when it differs from the public one. Evaluated per email, because the port may be unknown until
   * the server listens.
   */
  readonly mailBaseUrl?: () => string
  /** Exposes queued emails at /outbox: for machines without a mail server, never in production. */
  readonly outbox?: boolean
  readonly metrics?: MetricsAccess
  readonly apiDocs?: boolean
  readonly dataDir?: string | undefined
  readonly documentsDir?: string | undefined
  readonly documentStore?: DocumentStore | undefined
  readonly documentQuotaMb?: number | undefined
  /** Enables OCR; requires tesseract with its Thai data. */
  readonly readsPictures?: boolean | undefined
  readonly enumeration?: 'open' | 'strict'
  /** Embeddings endpoint that votes on suggested terms; undefined uses only the built-in model. */
  readonly embeddings?: EmbeddingsProviderSettings | undefined
  readonly languageModel?: LanguageModelSettings | undefined
  readonly line?: LineSettings | undefined
  readonly organisationLogin?: OrganisationLoginSettings | undefined
  readonly resolveTxt?: TxtRecordResolver | undefined
  readonly sampleProgress?: () => DemoDataProgress | undefined
  /** Requests per minute; the uniqueness checks are also limited per hour (R42). */
  readonly limits?: Partial<RateLimits>
  readonly reportMemoryMb?: number | undefined
  readonly push?: PushContext['push'] | undefined
  readonly channels?: readonly NotificationChannel[]
  readonly hasMail?: boolean
  /** Allows webhooks and login providers on this machine and over http: for development, never in production. */
  readonly localWebhooks?: boolean
  readonly jobKinds?: readonly string[]
  readonly restartableJobs?: readonly string[]
}

export type MetricsAccess = 'open' | 'closed' | { readonly token: string }

export type RateLimits = {
  /** Maximum requests per user, or per IP address without a session. */
  readonly perUser: number
  /** Maximum requests per user to each of the report's URLs. */
  readonly report: number
  /** Maximum changes per user and route to the user's own marks, settings and watch lists. */
  readonly patch: number
  /** Maximum polls for changes per user, sized for a dozen open tabs polling every few seconds. */
  readonly changePoll: number
  readonly shortLinks: number
  readonly perOrganisation: number
  /**
   * Maximum requests per organisation to costly routes (`costly-routes.ts`) in a ten-second window, short enough to
   * stop a flood before other users notice.
   */
  readonly organisationCostly: number
  readonly organisationWaiting: number
  readonly exportsHourly: number
  readonly login: number
  readonly autoLogin: number
  /** Maximum calls of each uniqueness check per IP address, per minute and per hour (R20). */
  readonly check: number
  readonly checkHourly: number
  /** Maximum email checks per hour without the browser's proof of work: for one IP address, and in total. */
  readonly checkUnproved: number
  readonly checkUnprovedAll: number
  readonly account: number
  /** Maximum webhook requests per IP address; high because LINE delivers from few addresses. */
  readonly lineWebhook: number
}

export const DEFAULT_RATE_LIMITS: RateLimits = {
  perUser: 600,
  report: 120,
  patch: 120,
  changePoll: 240,
  shortLinks: 30,
  perOrganisation: 3000,
  organisationCostly: 300,
  organisationWaiting: 40,
  exportsHourly: 10,
  login: 60,
  autoLogin: 20,
  check: 10,
  checkHourly: 60,
  checkUnproved: 10,
  checkUnprovedAll: 120,
  account: 20,
  lineWebhook: 6000,
}

export function scaleRateLimits(factor: number): RateLimits {
  const scaled = Object.entries(DEFAULT_RATE_LIMITS).map(([name, limit]) => [name, limit * factor])
  return Object.fromEntries(scaled) as RateLimits
}

/** Default storage per organisation: 5 GB are some 20,000 announcements. */
export const DEFAULT_DOCUMENT_QUOTA_MB = 5_000
const DEFAULT_DOCUMENTS_DIR = './.data/documents'

export function toDocumentSettings({
  documentsDir = DEFAULT_DOCUMENTS_DIR,
  documentStore = createFolderDocumentStore(documentsDir),
  documentQuotaMb = DEFAULT_DOCUMENT_QUOTA_MB,
}: Pick<HttpSettings, 'documentsDir' | 'documentStore' | 'documentQuotaMb'>): {
  store: DocumentStore
  quotaBytes: number
} {
  return { store: documentStore, quotaBytes: documentQuotaMb * 1_000_000 }
}

const DEFAULT_URL = 'http://localhost:4173'

/** Returns the product's URL for emails and previews: the configured one, never one taken from a request (R21). */
export const getBaseUrl = ({ publicUrl, mailBaseUrl }: Pick<HttpSettings, 'publicUrl' | 'mailBaseUrl'>): string =>
  publicUrl ?? mailBaseUrl?.() ?? DEFAULT_URL

export function createMailQueueFromSettings(settings: HttpSettings): OutgoingMailQueue {
  return createOutgoingMailQueue({ secrets: settings.authSecrets, baseUrl: () => getBaseUrl(settings) })
}
