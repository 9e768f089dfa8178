import { z } from 'zod'
import type { OrganisationLoginSettings } from '#server/account/organisation-login/providers.ts'
import type { LineSettings } from '#server/channels/line/line-settings.ts'
import type { LanguageModelSettings } from '#server/documents/answer/language-model.ts'
import type { S3Settings } from '#server/documents/store/s3-settings.ts'
import { DEFAULT_DOCUMENT_QUOTA_MB, type MetricsAccess } from '#server/http/http-settings.ts'
import type { ProviderSettings } from '#server/matching/meaning/provider.ts'
import { checkHosts, directOf, list, replicasOf } from './database-settings.ts'
import {
  documentBucketOf,
  embeddingsOf,
  isSafeEndpoint,
  languageModelOf,
  lineOf,
  organisationLoginOf,
  type VapidPair,
  vapidKeysOf,
} from './service-settings.ts'
import { SettingsError } from './settings-error.ts'
import { settingsFromFiles } from './settings-from-files.ts'

/** Empty in the environment means not set: `PORT= npm start` is a slip, not a wish. */
const given = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' ? undefined : value), schema)
const optional = given(z.string().optional())

const schema = z.object({
  PORT: given(z.coerce.number().int().min(0).max(65_535).default(4173)),
  HOST: optional.default('127.0.0.1'),
  DATA_DIR: optional.default('./.data'),
  DATABASE_URL: optional.superRefine(checkHosts),
  /** The same database past a pooler (PgBouncer): migrations, backups, and questions after connections that were lost. */
  DATABASE_DIRECT_URL: optional.superRefine(checkHosts),
  /** Replicas of it that may answer what is only read, by commas. */
  DATABASE_REPLICA_URL: optional,
  SMTP_URL: optional.refine(
    (url) => url === undefined || /^smtps?:\/\/./.test(url),
    'must begin with smtp:// or smtps://',
  ),
  /** Sender of all mails, as in a header. */
  MAIL_FROM: optional.refine(
    (from) => from === undefined || /^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(from),
    'must be an address, or a name and <address>',
  ),
  /** `strict`: registration tells nobody whether an e-mail, phone or name is taken; the mailbox is told instead. */
  ENUMERATION: given(z.enum(['open', 'strict']).default('open')),
  PUBLIC_URL: optional.refine(
    (url) => url === undefined || /^https?:\/\/[^/]+/.test(url),
    'must begin with http:// or https://',
  ),
  SEED: given(z.enum(['sample', 'none']).optional()),
  /** `on`: the first start answers nobody until the whole sample is in; for tests and benches, which count on all of it. */
  SEED_WAIT: given(z.enum(['on', 'off']).default('off')),
  /** Whether `/metrics` answers whoever asks; with `METRICS_TOKEN` it answers those who send the token alone. */
  METRICS: given(z.enum(['open', 'closed']).optional()),
  METRICS_TOKEN: optional.refine(
    (token) => token === undefined || /^[\x21-\x7e]{16,}$/.test(token),
    'must be at least 16 characters without blanks',
  ),
  /** Whether the API describes itself at `/api/docs`. */
  API_DOCS: given(z.enum(['open', 'closed']).optional()),
  /** `off`: this server leaves the jobs to workers (`node server/main.ts work`). */
  JOBS: given(z.enum(['on', 'off']).default('on')),
  /** Where a worker answers probes; without it nowhere. */
  WORKER_PORT: given(z.coerce.number().int().min(0).max(65_535).optional()),
  /** How long a server that was told to stop goes on while `/readyz` says 503: until the balancer has seen it. */
  DRAIN_SECONDS: given(z.coerce.number().min(0).max(300).default(0)),
  /** Megabytes in which a server holds what the report is answered from; 0: it asks the database for everything. */
  REPORT_MEMORY_MB: given(z.coerce.number().int().min(0).max(1_000_000).default(600)),
  /** Megabytes that the documents of one organisation may have together. */
  DOCUMENT_QUOTA_MB: given(z.coerce.number().int().min(1).max(1_000_000).default(DEFAULT_DOCUMENT_QUOTA_MB)),
  /** A bucket for the documents, `s3://bucket/prefix?endpoint=…&region=…`; without it they lie in DATA_DIR. */
  DOCUMENTS_URL: optional,
  DOCUMENTS_ACCESS_KEY_ID: optional,
  DOCUMENTS_SECRET_ACCESS_KEY: optional,
  /** Program that reads text from pictures; without it `tesseract` is looked for on the PATH. */
  TESSERACT_PATH: optional.refine((file) => file === undefined || file.startsWith('/'), 'must be an absolute path'),
  PATH: optional,
  SENTRY_DSN: optional.refine(
    (url) => url === undefined || (URL.canParse(url) && /^https?:\/\/[^/@]+@/.test(url)),
    'must be a DSN such as https://key@sentry.example/1',
  ),
  /** Where the demo sends those who want a full trial: a page (of LINE too), a mail address or a telephone. */
  CONTACT_URL: optional.refine(
    (url) =>
      url === undefined || (URL.canParse(url) && /^(?:https:\/\/[^/]|mailto:[^@\s]+@[^@\s]|tel:\+?\d)/.test(url)),
    'must begin with https://, mailto: or tel:',
  ),
  /** The pair that proves to push services who sends; without it one is made and kept in DATA_DIR. Several servers share one. */
  VAPID_PUBLIC_KEY: optional.refine(
    (key) => key === undefined || /^[A-Za-z0-9_-]{87}$/.test(key),
    'must be a key of 65 bytes in base64url',
  ),
  VAPID_PRIVATE_KEY: optional.refine(
    (key) => key === undefined || /^[A-Za-z0-9_-]{43}$/.test(key),
    'must be a key of 32 bytes in base64url',
  ),
  /** A passphrase that backup files are encrypted with; without it they are not. */
  BACKUP_KEY: optional.refine((key) => key === undefined || key.length >= 20, 'must be at least 20 characters'),
  LOG_LEVEL: given(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional()),
  /** Secrets that sign tokens, at least 32 characters, separated by commas: the first signs, all verify. */
  AUTH_SECRET: optional,
  /** Addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas. */
  TRUSTED_PROXIES: optional,
  /** Multiplies all rate limits, for many people behind one address and for browser tests. */
  RATE_LIMIT_FACTOR: given(z.coerce.number().min(1).max(1000).default(1)),
  /** An embeddings endpoint that has a say in suggested terms; it is told the organisations' keywords, so nothing but this sets it. */
  EMBEDDINGS_URL: optional.refine(
    (url) => url === undefined || (URL.canParse(url) && /^https?:\/\//.test(url)),
    'must begin with http:// or https://',
  ),
  EMBEDDINGS_KIND: given(z.enum(['openai', 'ollama']).default('openai')),
  EMBEDDINGS_MODEL: optional,
  EMBEDDINGS_API_KEY: optional,
  /** A language model behind OpenAI's `/chat/completions`; it is sent pages of documents of organisations that agreed. */
  LLM_URL: optional.refine(
    (url) => url === undefined || isSafeEndpoint(url),
    'must begin with https://, or with http:// for this machine, a private network or a name without dots',
  ),
  LLM_MODEL: optional,
  LLM_API_KEY: optional,
  /** Questions of one organisation a day. */
  LLM_DAILY_QUESTIONS: given(z.coerce.number().int().min(1).max(100_000).default(100)),
  /** A LINE Official Account with the Messaging API; all three or none. */
  LINE_CHANNEL_ID: optional,
  LINE_CHANNEL_SECRET: optional,
  LINE_CHANNEL_ACCESS_TOKEN: optional,
  /** Where LINE's API lies; the token goes there. */
  LINE_API_URL: optional
    .default('https://api.line.me')
    .refine(
      isSafeEndpoint,
      'must begin with https://, or with http:// for this machine, a private network or a name without dots',
    ),
  /** Our registration at Google and at Microsoft, for logins with accounts of organisations; each both or none. */
  OIDC_GOOGLE_CLIENT_ID: optional,
  OIDC_GOOGLE_CLIENT_SECRET: optional,
  OIDC_MICROSOFT_CLIENT_ID: optional,
  OIDC_MICROSOFT_CLIENT_SECRET: optional,
  /** Where they lie; the secrets go there. */
  OIDC_GOOGLE_ISSUER: optional.default('https://accounts.google.com'),
  OIDC_MICROSOFT_AUTHORITY: optional.default('https://login.microsoftonline.com'),
  NODE_ENV: optional,
})

/** Every variable that is read. */
export const SETTING_NAMES: readonly string[] = Object.keys(schema.shape)

export type Settings = {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Past the pooler that `databaseUrl` leads through, if one does. */
  readonly databaseDirectUrl: string | undefined
  readonly replicaUrls: readonly string[]
  readonly publicUrl: string | undefined
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly enumeration: 'open' | 'strict'
  readonly seed: 'sample' | 'none'
  /** Whether to answer only when the whole sample is in. */
  readonly seedWait: boolean
  /** Who may read the metrics: everybody, nobody, or a caller that sends the token. */
  readonly metrics: MetricsAccess
  readonly apiDocs: boolean
  /** Whether the server does the jobs itself. */
  readonly jobs: boolean
  readonly workerPort: number | undefined
  readonly drainSeconds: number
  readonly reportMemoryMb: number
  readonly documentQuotaMb: number
  /** Where documents lie outside this machine; undefined: in DATA_DIR. */
  readonly documentBucket: S3Settings | undefined
  /** Where tesseract is looked for: the path that was set, else the folders of PATH. */
  readonly tesseract: { readonly path: string | undefined; readonly searched: string }
  readonly sentryDsn: string | undefined
  readonly contactUrl: string | undefined
  readonly logLevel: z.output<typeof schema>['LOG_LEVEL']
  readonly authSecrets: readonly string[]
  readonly backupKey: string | undefined
  readonly trustedProxies: readonly string[]
  readonly rateLimitFactor: number
  /** Undefined: the pair in DATA_DIR. */
  readonly vapidKeys: VapidPair | undefined
  readonly embeddings: ProviderSettings | undefined
  readonly languageModel: LanguageModelSettings | undefined
  readonly line: LineSettings | undefined
  readonly organisationLogin: OrganisationLoginSettings
  readonly isProduction: boolean
}

const MIN_SECRET = 32

/**
 * Reads the settings of the operational interface; each may come from a file, by its name with `_FILE`. Throws `SettingsError`, in production also for
 * secrets that are missing, short or examples (R57).
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const parsed = schema.safeParse(settingsFromFiles(env, SETTING_NAMES))
  if (!parsed.success)
    throw new SettingsError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const { data } = parsed
  const isProduction = data.NODE_ENV === 'production'
  const authSecrets = list(data.AUTH_SECRET)
  if (isProduction && authSecrets.length === 0) throw new SettingsError('AUTH_SECRET: must be set in production')
  for (const secret of authSecrets) assertStrong(secret)
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: directOf(data),
    replicaUrls: replicasOf(data),
    publicUrl: data.PUBLIC_URL,
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
    enumeration: data.ENUMERATION,
    metrics: data.METRICS_TOKEN ? { token: data.METRICS_TOKEN } : (data.METRICS ?? (isProduction ? 'closed' : 'open')),
    apiDocs: (data.API_DOCS ?? (isProduction ? 'closed' : 'open')) === 'open',
    // Sample accounts have public passwords: in production they come only when they are asked for.
    seed: data.SEED ?? (isProduction ? 'none' : 'sample'),
    seedWait: data.SEED_WAIT === 'on',
    jobs: jobsOf(data),
    workerPort: data.WORKER_PORT,
    drainSeconds: data.DRAIN_SECONDS,
    reportMemoryMb: data.REPORT_MEMORY_MB,
    documentQuotaMb: data.DOCUMENT_QUOTA_MB,
    documentBucket: documentBucketOf(data),
    tesseract: { path: data.TESSERACT_PATH, searched: data.PATH ?? '' },
    sentryDsn: data.SENTRY_DSN,
    // Who sends the mails reads the answers, unless the address is said to take none.
    contactUrl: data.CONTACT_URL ?? answerAddress(data.MAIL_FROM),
    logLevel: data.LOG_LEVEL,
    authSecrets,
    backupKey: data.BACKUP_KEY,
    trustedProxies: list(data.TRUSTED_PROXIES),
    rateLimitFactor: data.RATE_LIMIT_FACTOR,
    vapidKeys: vapidKeysOf(data),
    embeddings: embeddingsOf(data),
    languageModel: languageModelOf(data),
    line: lineOf(data),
    organisationLogin: organisationLoginOf(data),
    isProduction,
  }
}

/** What is logged when nobody says: in production each request, on a developer's machine what is wrong. */
export const logLevelOf = ({ logLevel, isProduction }: Settings) => logLevel ?? (isProduction ? 'info' : 'warn')

/** Nobody else can open the embedded database: without its server's jobs there would be none. */
function jobsOf({ JOBS, DATABASE_URL }: z.output<typeof schema>): boolean {
  if (JOBS === 'off' && DATABASE_URL === undefined)
    throw new SettingsError('JOBS: off needs DATABASE_URL, because only PostgreSQL can have a worker beside the server')
  return JOBS === 'on'
}

function assertStrong(secret: string): void {
  if (secret.length < MIN_SECRET)
    throw new SettingsError(`AUTH_SECRET: each secret needs at least ${MIN_SECRET} characters`)
  if (new Set(secret).size < 8 || /change.?me|example|secret.*secret|password/i.test(secret))
    throw new SettingsError('AUTH_SECRET: looks like an example, make one with `openssl rand -base64 48`')
}

/** `mailto:` of a sender; undefined without one and for an address that takes no answers. */
function answerAddress(mailFrom: string | undefined): string | undefined {
  const address = mailFrom?.slice(mailFrom.indexOf('<') + 1).replace('>', '')
  return address === undefined || /^(?:no|do-?not)[-_.]?reply/i.test(address) ? undefined : `mailto:${address}`
}
