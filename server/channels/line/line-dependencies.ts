import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { createLineApi, type LineApi } from './line-api.ts'
import { createLineIdProtector, type LineIdProtector } from './line-identity.ts'
import type { LineSettings } from './line-settings.ts'
import { createPostbackTokens, type PostbackTokens } from './postback-token.ts'

export type LineDependencies = {
  readonly api: LineApi
  readonly identity: LineIdProtector
  readonly tokens: PostbackTokens
  readonly mails: OutgoingMail
}

export const createLineDependencies = (
  settings: LineSettings,
  secrets: readonly [string, ...string[]],
  mails: OutgoingMail,
): LineDependencies => ({
  api: createLineApi(settings),
  identity: createLineIdProtector(secrets),
  tokens: createPostbackTokens(secrets),
  mails,
})
