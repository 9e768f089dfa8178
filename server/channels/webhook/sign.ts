import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { createTextSeal, type TextSeal } from '#server/platform/engine/sealed-text.ts'

/** 256 random bits in the format of Standard Webhooks (https://www.standardwebhooks.com). */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Secrets are sealed rather than hashed: unlike API keys, they are needed in plain form for signing. */
export const webhookSeal = (secrets: readonly [string, ...string[]]): TextSeal =>
  createTextSeal(secrets, 'tamngan webhook')

type SignedMessage = { readonly id: string; readonly body: string; readonly at: Date }

/** Standard Webhooks headers: one signature per valid secret, newest first. */
export function signedHeaders({ id, body, at }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
