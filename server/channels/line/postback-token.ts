import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto'
import { hashSecret } from '#server/platform/route/secret-token.ts'

/** Sent buttons contain an action's index, so new actions are appended. */
const LINE_POSTBACK_ACTIONS = [
  'star',
  'unstar',
  'hide',
  'unhide',
  'relevant',
  'irrelevant',
  'seen',
  'no_feedback',
] as const
export type LinePostbackAction = (typeof LINE_POSTBACK_ACTIONS)[number]

export type LinePostbackClaims = {
  readonly action: LinePostbackAction
  readonly userId: number
  readonly projectId: string
  readonly day: string
}

export type LinePostbackTokens = {
  /**
   * Returns a token of at most 100 characters; LINE allows 300. `lineId` is the only LINE account that may press the
   * button.
   */
  sign(claims: LinePostbackClaims, lineId: string): string
  /**
   * Returns undefined if the token was forged, altered or signed for another account. `hash` identifies the token, so
   * that it can be used only once.
   */
  read(data: string, lineId: string): { readonly claims: LinePostbackClaims; readonly hash: string } | undefined
}

const MAC_BYTES = 18
const TOKEN_PATTERN = /^([A-Za-z0-9_-]{4,160})\.([A-Za-z0-9_-]{24})$/

/**
 * Signs the data of card buttons with HMAC-SHA-256, using keys derived from the signing secrets. The first secret
 * signs; a token signed by any of them is valid.
 */
export function createLinePostbackTokens(secrets: readonly [string, ...string[]]): LinePostbackTokens {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'tamngan line postback', 32)))
  const macOf = (key: Buffer, payload: string, lineId: string) =>
    createHmac('sha256', key).update(`${payload}\n${lineId}`).digest().subarray(0, MAC_BYTES)
  return {
    sign({ action, userId, projectId, day }, lineId) {
      // Each button works once, so a nonce makes otherwise equal buttons distinct.
      const nonce = randomInt(36 ** 5).toString(36)
      const text = [
        LINE_POSTBACK_ACTIONS.indexOf(action),
        userId.toString(36),
        day.replaceAll('-', ''),
        nonce,
        projectId,
      ].join(' ')
      const payload = Buffer.from(text, 'utf8').toString('base64url')
      return `${payload}.${macOf(keys[0]!, payload, lineId).toString('base64url')}`
    },
    read(data, lineId) {
      const [, payload, mac] = TOKEN_PATTERN.exec(data) ?? []
      if (payload === undefined || mac === undefined) return undefined
      const receivedMac = Buffer.from(mac, 'base64url')
      if (!keys.some((key) => timingSafeEqual(macOf(key, payload, lineId), receivedMac))) return undefined
      const [code = '', user = '', day = '', , ...project] = Buffer.from(payload, 'base64url')
        .toString('utf8')
        .split(' ')
      const action = LINE_POSTBACK_ACTIONS[Number(code)]
      if (action === undefined) return undefined
      const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`
      const claims = { action, userId: Number.parseInt(user, 36), projectId: project.join(' '), day: iso }
      return { claims, hash: hashSecret(data) }
    },
  }
}
