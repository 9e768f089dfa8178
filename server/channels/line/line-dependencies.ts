import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { createLineApi, type LineApi } from './line-api.ts'
import { createLineIdProtector, type LineIdProtector } from './line-identity.ts'
import type { LineSettings } from './line-settings.ts'
import { createLinePostbackTokens, type LinePostbackTokens } from './postback-token.ts'

export type LineDependencies = {
  readonly api: LineApi
  readonly identity: LineIdProtector
  readonly tokens: LinePostbackTokens
  readonly mails: OutgoingMailQueue
}

export const createLineDependencies = (
  settings: LineSettings,
  secrets: readonly [string, ...string[]],
  mails: OutgoingMailQueue,
): LineDependencies => ({
  api: createLineApi(settings),
  identity: createLineIdProtector(secrets),
  tokens: createLinePostbackTokens(secrets),
  mails,
})
