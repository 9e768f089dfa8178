import type { SampleLogin } from '#contract/account/session.ts'
import type { Channel } from '#contract/channels/channel.ts'
import type { SampleProgress } from '#contract/sample-progress.ts'
import type { ResolveTxt } from '#server/account/organisation-login/domain-proof.ts'
import type { OrganisationLoginSettings } from '#server/account/organisation-login/providers.ts'
import type { LineSettings } from '#server/channels/line/line-settings.ts'
import type { PushContext } from '#server/channels/push/routes.ts'
import type { LanguageModelSettings } from '#server/documents/answer/language-model.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { createFolderStore } from '#server/documents/store/folder-store.ts'
import type { ProviderSettings } from '#server/matching/meaning/provider.ts'
import { createOutgoingMail, type OutgoingMail } from '#server/platform/route/outgoing-mail.ts'

/** What `server/main.ts` passes to the HTTP floor, which does not read the environment itself. */
export type HttpSettings = {
  /** At least 32 characters each. The first signs tokens, all verify, so that a secret can be changed without logging everyone out. */
  readonly authSecrets: readonly [string, ...string[]]
  /** Address people use, e.g. `https://tamngan.example`. With https, cookies are Secure and HSTS is sent. */
  readonly publicUrl?: string | undefined
  /** Built client (`dist/`); without it only the API is served. */
  readonly distDir?: string | undefined
  /** Where the client reports errors; undefined switches that off. */
  readonly sentryDsn?: string | undefined
  /** Where visitors of the demo reach the team; undefined: the page at /contact says that no address is known. */
  readonly contactUrl?: string | undefined
  /** Accounts that the login offers; undefined in production and where the sample is not in. */
  readonly sampleLogin?: SampleLogin | undefined
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** Where log lines go; standard output unless a test listens. */
  readonly logStream?: { write(line: string): void }
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed. None by default (R5). */
  readonly trustedProxies?: readonly string[]
  /** Address in mails, when it is not the public one; asked for each mail, because a port may be known only after the start. */
  readonly mailBaseUrl?: () => string
  /** Whether queued mails can be read at /outbox: for a machine without a mail server, never in production. */
  readonly outbox?: boolean
  /** Who gets the figures at `/metrics`; nobody unless this says so. */
  readonly metrics?: MetricsAccess
  /** Whether the API describes itself at `/api/docs`. */
  readonly apiDocs?: boolean
  /** Folder of the embedded database: `/readyz` and the log say when its disk is full. */
  readonly dataDir?: string | undefined
  /** Folder of the files that people add to projects. */
  readonly documentsDir?: string | undefined
  /** Where those files lie, unless it is that folder. */
  readonly documentStore?: DocumentStore | undefined
  /** Megabytes that the documents of one organisation may have together. */
  readonly documentQuotaMb?: number | undefined
  /** Whether text is read from pictures: tesseract is there with its Thai data. */
  readonly readsPictures?: boolean | undefined
  /** `strict`: no answer of registration shows what is taken (R20). */
  readonly enumeration?: 'open' | 'strict'
  /** An embeddings endpoint that votes on suggested terms; undefined: the built-in model alone. */
  readonly embeddings?: ProviderSettings | undefined
  /** A language model that points at sentences of documents; undefined: nobody asks one. */
  readonly languageModel?: LanguageModelSettings | undefined
  /** LINE's account; undefined: LINE is off. */
  readonly line?: LineSettings | undefined
  /** Where the operator registered us for logins with accounts of organisations; undefined: nowhere. */
  readonly organisationLogin?: OrganisationLoginSettings | undefined
  /** Tests: who answers for TXT records; the resolver of this machine. */
  readonly resolveTxt?: ResolveTxt | undefined
  /** How far the sample of a first start is while it still arrives; undefined before and after. */
  readonly sampleProgress?: () => SampleProgress | undefined
  /** Requests a minute, those of the uniqueness checks also an hour (R42). */
  readonly limits?: Partial<RateLimits>
  /** Megabytes in which the report's columns are held; 0 or undefined: every question is answered by SQL. */
  readonly reportMemoryMb?: number | undefined
  /** What web push needs; undefined: there is none. */
  readonly push?: PushContext['push'] | undefined
  /** Channels besides bell and mail that are set up. */
  readonly channels?: readonly Channel[]
  /** Whether mails leave: a mail server, or the outbox of a developer's machine. */
  readonly hasMail?: boolean
  /** Whether webhooks and providers of logins may be this machine itself, also by http: for a developer, never in production. */
  readonly localWebhooks?: boolean
  /** Names of the kinds of jobs that `/metrics` counts. */
  readonly jobKinds?: readonly string[]
  /** Kinds that an operator may begin anew after they were given up. */
  readonly restartableJobs?: readonly string[]
}

/** `open`: everybody; `token`: who sends it as bearer. */
export type MetricsAccess = 'open' | 'closed' | { readonly token: string }

export type RateLimits = {
  /** Any one user, or address when nobody is signed in. */
  readonly perUser: number
  /** Any one user, at each of the report's addresses. */
  readonly report: number
  /** Any one user, changes of their own marks and settings, and of watch lists, at each address. */
  readonly patch: number
  /** Any one user, the question by which open tabs learn of what is new: a dozen tabs, each every few seconds. */
  readonly changePoll: number
  /** Any one user, short links made and opened, at each address. */
  readonly shortLinks: number
  /** All users of one organisation together. */
  readonly perOrganisation: number
  /** The same at the addresses that read much (`costly-routes.ts`), in ten seconds: a flood ends before it is felt. */
  readonly organisationCostly: number
  /** Costly requests of one organisation that may wait for their turn. */
  readonly organisationWaiting: number
  /** Any one organisation: exports an hour, counted in the database (R42). */
  readonly exportsHourly: number
  /** Any one address. */
  readonly login: number
  readonly autoLogin: number
  /** Any one address, each of the uniqueness checks, a minute and an hour (R20). */
  readonly check: number
  readonly checkHourly: number
  /** E-mail checks without the work of a browser, an hour: any one address, and all together. */
  readonly checkUnproved: number
  readonly checkUnprovedAll: number
  /** Any one address, each step of registration and of a reset. */
  readonly account: number
  /** Any one address: what LINE tells comes from few. */
  readonly lineWebhook: number
}

export const DEFAULT_LIMITS: RateLimits = {
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

/** The default limits times a factor: an office behind one address, or browser tests, need more. */
export function scaledLimits(factor: number): RateLimits {
  const scaled = Object.entries(DEFAULT_LIMITS).map(([name, limit]) => [name, limit * factor])
  return Object.fromEntries(scaled) as RateLimits
}

/** Of settings that do not say otherwise: 5 GB are some 20,000 announcements. */
export const DEFAULT_DOCUMENT_QUOTA_MB = 5_000
const DEFAULT_DOCUMENTS_DIR = './.data/documents'

/** Where the files of documents lie, and how many bytes an organisation may have there. */
export function documentSettings({
  documentsDir = DEFAULT_DOCUMENTS_DIR,
  documentStore = createFolderStore(documentsDir),
  documentQuotaMb = DEFAULT_DOCUMENT_QUOTA_MB,
}: Pick<HttpSettings, 'documentsDir' | 'documentStore' | 'documentQuotaMb'>): {
  store: DocumentStore
  quotaBytes: number
} {
  return { store: documentStore, quotaBytes: documentQuotaMb * 1_000_000 }
}

/** Where the product runs when nobody said anything else. */
const DEFAULT_URL = 'http://localhost:4173'

/** Address of the product in mails and previews: the configured one, never what a request says (R21). */
export const baseUrlOf = ({ publicUrl, mailBaseUrl }: Pick<HttpSettings, 'publicUrl' | 'mailBaseUrl'>): string =>
  publicUrl ?? mailBaseUrl?.() ?? DEFAULT_URL

/** Mails of this server: their links point to the configured address and nowhere else. */
export function outgoingMail(settings: HttpSettings): OutgoingMail {
  return createOutgoingMail({ secrets: settings.authSecrets, baseUrl: () => baseUrlOf(settings) })
}
