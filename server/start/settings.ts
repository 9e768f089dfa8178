import { z } from 'zod'
import type { OrganisationLoginSettings } from '#server/account/organisation-login/providers.ts'
import type { LineSettings } from '#server/channels/line/line-settings.ts'
import type { LanguageModelSettings } from '#server/documents/answer/language-model.ts'
import type { S3Settings } from '#server/documents/store/s3-settings.ts'
import { DEFAULT_DOCUMENT_QUOTA_MB, type MetricsAccess } from '#server/http/http-settings.ts'
import type { EmbeddingsProviderSettings } from '#server/matching/meaning/embeddings-provider.ts'
import {
  parseDirectDatabaseUrl,
  parseReplicaUrls,
  splitCommaSeparatedList,
  validateDatabaseHosts,
} from './database-settings.ts'
import { resolveSettingsFromFiles } from './resolve-settings-from-files.ts'
import {
  isSafeDocumentEndpoint,
  parseDocumentBucketSettings,
  parseEmbeddingSettings,
  parseLanguageModelSettings,
  parseLineSettings,
  parseOrganisationLoginSettings,
  parseVapidKeys,
  type VapidKeyPair,
} from './service-settings.ts'
import { SettingsError } from './settings-error.ts'

/** Treats an empty variable as unset: `PORT= npm start` is a mistake, not a value. */
const emptyAsUnset = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)
const optional = emptyAsUnset(z.string().optional())

const schema = z.object({
  PORT: emptyAsUnset(z.coerce.number().int().min(0).max(65_535).default(4173)),
  HOST: optional.default('127.0.0.1'),
  DATA_DIR: optional.default('./.data'),
  DATABASE_URL: optional.superRefine(validateDatabaseHosts),
  /**
   * URL of the database that bypasses the pooler (PgBouncer), for migrations, backups, and checks for lost connections.
   */
  DATABASE_DIRECT_URL: optional.superRefine(validateDatabaseHosts),
  DATABASE_REPLICA_URL: optional,
  SMTP_URL: optional.refine(
    (url) => url === undefined || /^smtps?:\/\/./.test(url),
    'must begin with smtp:// or smtps://',
  ),
  MAIL_FROM: optional.refine(
    (from) => from === undefined || /^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(from),
    'must be an address, or a name and <address>',
  ),
  /**
   * With `strict`, the registration response does not reveal whether an e-mail, phone or name is taken; only an email
   * to that address does.
   */
  ENUMERATION: emptyAsUnset(z.enum(['open', 'strict']).default('open')),
  PUBLIC_URL: optional.refine(
    (url) => url === undefined || /^https?:\/\/[^/]+/.test(url),
    'must begin with http:// or https://',
  ),
  SEED: emptyAsUnset(z.enum(['sample', 'none']).optional()),
  /**
   * With `on`, the first start serves no requests until all demo data is loaded; for tests and benchmarks that need it.
   */
  SEED_WAIT: emptyAsUnset(z.enum(['on', 'off']).default('off')),
  /** With `open`, `/metrics` is public. If `METRICS_TOKEN` is set, `/metrics` requires that token. */
  METRICS: emptyAsUnset(z.enum(['open', 'closed']).optional()),
  METRICS_TOKEN: optional.refine(
    (token) => token === undefined || /^[\x21-\x7e]{16,}$/.test(token),
    'must be at least 16 characters without blanks',
  ),
  API_DOCS: emptyAsUnset(z.enum(['open', 'closed']).optional()),
  /** With `off`, this server leaves the jobs to workers (`node server/main.ts work`). */
  JOBS: emptyAsUnset(z.enum(['on', 'off']).default('on')),
  WORKER_PORT: emptyAsUnset(z.coerce.number().int().min(0).max(65_535).optional()),
  /**
   * Seconds for which a stopping server keeps serving while `/readyz` returns 503, so that the load balancer notices.
   */
  DRAIN_SECONDS: emptyAsUnset(z.coerce.number().min(0).max(300).default(0)),
  /** Megabytes for the in-process report cache; 0: every report queries the database. */
  REPORT_MEMORY_MB: emptyAsUnset(z.coerce.number().int().min(0).max(1_000_000).default(600)),
  DOCUMENT_QUOTA_MB: emptyAsUnset(z.coerce.number().int().min(1).max(1_000_000).default(DEFAULT_DOCUMENT_QUOTA_MB)),
  /** Bucket for documents, `s3://bucket/prefix?endpoint=…&region=…`; default: DATA_DIR. */
  DOCUMENTS_URL: optional,
  DOCUMENTS_ACCESS_KEY_ID: optional,
  DOCUMENTS_SECRET_ACCESS_KEY: optional,
  TESSERACT_PATH: optional.refine((file) => file === undefined || file.startsWith('/'), 'must be an absolute path'),
  PATH: optional,
  SENTRY_DSN: optional.refine(
    (url) => url === undefined || (URL.canParse(url) && /^https?:\/\/[^/@]+@/.test(url)),
    'must be a DSN such as https://key@sentry.example/1',
  ),
  /**
   * Where the demo sends users who want a full trial: a web page (including LINE), an e-mail address or a telephone
   * number.
   */
  CONTACT_URL: optional.refine(
    (url) =>
      url === undefined || (URL.canParse(url) && /^(?:https:\/\/[^/]|mailto:[^@\s]+@[^@\s]|tel:\+?\d)/.test(url)),
    'must begin with https://, mailto: or tel:',
  ),
  /** Identifies the sender to push services; default: a pair generated in DATA_DIR. Several servers must share one. */
  VAPID_PUBLIC_KEY: optional.refine(
    (key) => key === undefined || /^[A-Za-z0-9_-]{87}$/.test(key),
    'must be a key of 65 bytes in base64url',
  ),
  VAPID_PRIVATE_KEY: optional.refine(
    (key) => key === undefined || /^[A-Za-z0-9_-]{43}$/.test(key),
    'must be a key of 32 bytes in base64url',
  ),
  /** Passphrase that encrypts backup files; without it they are not encrypted. */
  BACKUP_KEY: optional.refine((key) => key === undefined || key.length >= 20, 'must be at least 20 characters'),
  LOG_LEVEL: emptyAsUnset(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional()),
  /** Secrets that sign tokens, at least 32 characters, separated by commas: the first signs, all verify. */
  AUTH_SECRET: optional,
  /** Proxies (addresses or networks, separated by commas) whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: optional,
  /** Multiplies all rate limits. For browser tests, and for installations with many users behind one address. */
  RATE_LIMIT_FACTOR: emptyAsUnset(z.coerce.number().min(1).max(1000).default(1)),
  /**
   * Embeddings endpoint for term suggestions. It receives the organisations' keywords, so it is used only if this URL
   * is set.
   */
  EMBEDDINGS_URL: optional.refine(
    (url) => url === undefined || (URL.canParse(url) && /^https?:\/\//.test(url)),
    'must begin with http:// or https://',
  ),
  EMBEDDINGS_KIND: emptyAsUnset(z.enum(['openai', 'ollama']).default('openai')),
  EMBEDDINGS_MODEL: optional,
  EMBEDDINGS_API_KEY: optional,
  /**
   * Language model with OpenAI's `/chat/completions` API; it receives pages of documents of organisations that agreed.
   */
  LLM_URL: optional.refine(
    (url) => url === undefined || isSafeDocumentEndpoint(url),
    'must begin with https://, or with http:// for this machine, a private network or a name without dots',
  ),
  LLM_MODEL: optional,
  LLM_API_KEY: optional,
  LLM_DAILY_QUESTIONS: emptyAsUnset(z.coerce.number().int().min(1).max(100_000).default(100)),
  LINE_CHANNEL_ID: optional,
  LINE_CHANNEL_SECRET: optional,
  LINE_CHANNEL_ACCESS_TOKEN: optional,
  /** URL of LINE's API, which receives the access token. */
  LINE_API_URL: optional
    .default('https://api.line.me')
    .refine(
      isSafeDocumentEndpoint,
      'must begin with https://, or with http:// for this machine, a private network or a name without dots',
    ),
  /**
   * OAuth clients at Google and Microsoft for organisation logins: for each provider both id and secret, or none. The
   * secrets are sent to the issuer or authority set below.
   */
  OIDC_GOOGLE_CLIENT_ID: optional,
  OIDC_GOOGLE_CLIENT_SECRET: optional,
  OIDC_MICROSOFT_CLIENT_ID: optional,
  OIDC_MICROSOFT_CLIENT_SECRET: optional,
  OIDC_GOOGLE_ISSUER: optional.default('https://accounts.google.com'),
  OIDC_MICROSOFT_AUTHORITY: optional.default('https://login.microsoftonline.com'),
  NODE_ENV: optional,
})

export const SETTING_NAMES: readonly string[] = Object.keys(schema.shape)

export type Settings = {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseDirectUrl: string | undefined
  readonly replicaUrls: readonly string[]
  readonly publicUrl: string | undefined
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly enumeration: 'open' | 'strict'
  readonly seed: 'sample' | 'none'
  readonly seedWait: boolean
  readonly metrics: MetricsAccess
  readonly apiDocs: boolean
  readonly jobs: boolean
  readonly workerPort: number | undefined
  readonly drainSeconds: number
  readonly reportMemoryMb: number
  readonly documentQuotaMb: number
  readonly documentBucket: S3Settings | undefined
  readonly tesseract: { readonly path: string | undefined; readonly searched: string }
  readonly sentryDsn: string | undefined
  readonly contactUrl: string | undefined
  readonly logLevel: z.output<typeof schema>['LOG_LEVEL']
  readonly authSecrets: readonly string[]
  readonly backupKey: string | undefined
  readonly trustedProxies: readonly string[]
  readonly rateLimitFactor: number
  readonly vapidKeys: VapidKeyPair | undefined
  readonly embeddings: EmbeddingsProviderSettings | undefined
  readonly languageModel: LanguageModelSettings | undefined
  readonly line: LineSettings | undefined
  readonly organisationLogin: OrganisationLoginSettings
  readonly isProduction: boolean
}

const MIN_SECRET = 32

/**
 * Reads all settings; each may be in a file named by the variable with suffix `_FILE`. Throws `SettingsError`, in
 * production also for secrets that are missing, short or copied from the examples (R57).
 */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const parsed = schema.safeParse(resolveSettingsFromFiles(env, SETTING_NAMES))
  if (!parsed.success)
    throw new SettingsError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const { data } = parsed
  const isProduction = data.NODE_ENV === 'production'
  const authSecrets = splitCommaSeparatedList(data.AUTH_SECRET)
  if (isProduction && authSecrets.length === 0) throw new SettingsError('AUTH_SECRET: must be set in production')
  for (const secret of authSecrets) assertStrong(secret)
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: parseDirectDatabaseUrl(data),
    replicaUrls: parseReplicaUrls(data),
    publicUrl: data.PUBLIC_URL,
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
    enumeration: data.ENUMERATION,
    metrics: data.METRICS_TOKEN ? { token: data.METRICS_TOKEN } : (data.METRICS ?? (isProduction ? 'closed' : 'open')),
    apiDocs: (data.API_DOCS ?? (isProduction ? 'closed' : 'open')) === 'open',
    // Demo accounts have public passwords, so in production they must be requested explicitly.
    seed: data.SEED ?? (isProduction ? 'none' : 'sample'),
    seedWait: data.SEED_WAIT === 'on',
    jobs: shouldRunJobs(data),
    workerPort: data.WORKER_PORT,
    drainSeconds: data.DRAIN_SECONDS,
    reportMemoryMb: data.REPORT_MEMORY_MB,
    documentQuotaMb: data.DOCUMENT_QUOTA_MB,
    documentBucket: parseDocumentBucketSettings(data),
    tesseract: { path: data.TESSERACT_PATH, searched: data.PATH ?? '' },
    sentryDsn: data.SENTRY_DSN,
    // By default, use the reply address of our emails, unless it is a no-reply address.
    contactUrl: data.CONTACT_URL ?? replyAddress(data.MAIL_FROM),
    logLevel: data.LOG_LEVEL,
    authSecrets,
    backupKey: data.BACKUP_KEY,
    trustedProxies: splitCommaSeparatedList(data.TRUSTED_PROXIES),
    rateLimitFactor: data.RATE_LIMIT_FACTOR,
    vapidKeys: parseVapidKeys(data),
    embeddings: parseEmbeddingSettings(data),
    languageModel: parseLanguageModelSettings(data),
    line: parseLineSettings(data),
    organisationLogin: parseOrganisationLoginSettings(data),
    isProduction,
  }
}

export const getLogLevel = ({ logLevel, isProduction }: Settings) => logLevel ?? (isProduction ? 'info' : 'warn')

/** True if this process runs the jobs. Always true for the embedded database, because only this process can open it. */
function shouldRunJobs({ JOBS, DATABASE_URL }: z.output<typeof schema>): boolean {
  if (JOBS === 'off' && DATABASE_URL === undefined)
    throw new SettingsError(
      'JOBS: off requires DATABASE_URL, because only PostgreSQL supports a worker alongside the server',
    )
  return JOBS === 'on'
}

function assertStrong(secret: string): void {
  if (secret.length < MIN_SECRET)
    throw new SettingsError(`AUTH_SECRET: each secret needs at least ${MIN_SECRET} characters`)
  if (new Set(secret).size < 8 || /change.?me|example|secret.*secret|password/i.test(secret))
    throw new SettingsError('AUTH_SECRET: looks like an example, generate one with `openssl rand -base64 48`')
}

function replyAddress(mailFrom: string | undefined): string | undefined {
  const address = mailFrom?.slice(mailFrom.indexOf('<') + 1).replace('>', '')
  return address === undefined || /^(?:no|do-?not)[-_.]?reply/i.test(address) ? undefined : `mailto:${address}`
}
