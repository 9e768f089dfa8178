import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { createTextSeal, type TextSeal } from '#server/platform/engine/sealed-text.ts'

/** 256 random bits, as Standard Webhooks writes them (https://www.standardwebhooks.com). */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Secrets lie sealed: unlike a key of ours they must be read again, to sign with. */
export const webhookSeal = (secrets: readonly [string, ...string[]]): TextSeal =>
  createTextSeal(secrets, 'tamngan webhook')

type Signed = { readonly id: string; readonly body: string; readonly at: Date }

/** Headers of Standard Webhooks: one signature for each secret that is good now, the newest first. */
export function signedHeaders({ id, body, at }: Signed, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
