import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { createTextCipher, type TextCipher } from '#server/platform/engine/text-cipher.ts'

/** Creates a secret of 256 random bits in the format of Standard Webhooks (https://www.standardwebhooks.com). */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Encrypts webhook secrets. Unlike API keys they cannot be hashed, because signing needs them in plain form. */
export const createWebhookSecretCipher = (secrets: readonly [string, ...string[]]): TextCipher =>
  createTextCipher(secrets, 'tamngan webhook')

type SignedMessage = { readonly id: string; readonly body: string; readonly at: Date }

/** Returns the Standard Webhooks headers, with one signature per valid secret, newest first. */
export function createSignedWebhookHeaders(
  { id, body, at }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
