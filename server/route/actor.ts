/** Who asks: read from the session row on every request, never trusted from the token (R8). */
export type Actor = {
  readonly userId: number
  readonly organisationId: number
  readonly sessionId: string
  readonly role: string
  readonly isDemo: boolean
}
