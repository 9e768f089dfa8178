/** A LINE Official Account with the Messaging API. The operator of the server alone names it, by the environment. */
export type LineSettings = {
  readonly channelId: string
  /** Signs what LINE sends to us. */
  readonly channelSecret: string
  /** Long-lived; what we send carries it as bearer. */
  readonly accessToken: string
  /** Up to before `/v2/bot`: `https://api.line.me`, or a server of the tests. */
  readonly apiUrl: string
  /** Time limit of a request, ms. Tests set a short one. */
  readonly timeoutMs?: number | undefined
}
