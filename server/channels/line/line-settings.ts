/** LINE Official Account with the Messaging API, configured only by the operator through the environment. */
export type LineSettings = {
  readonly channelId: string
  readonly channelSecret: string
  readonly accessToken: string
  /** Base URL before `/v2/bot`: `https://api.line.me`, or a test server. */
  readonly apiUrl: string
  readonly timeoutMs?: number | undefined
}
