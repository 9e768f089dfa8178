import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import webPush from 'web-push'
import { z } from 'zod/mini'
import type { PushDependencies } from '#server/channels/push/send-push.ts'
import { createOutgoingPost } from '#server/platform/outgoing/outgoing-post.ts'
import type { Settings } from './settings.ts'

const pairSchema = z.object({ publicKey: z.string(), privateKey: z.string() })
type Pair = z.output<typeof pairSchema>

/**
 * Returns the VAPID key pair of this installation, created once in the data folder. Browsers subscribe with its public
 * key, so replacing the pair cuts off every browser until it subscribes again.
 */
async function readOrCreatePair(dataDir: string): Promise<Pair> {
  const file = path.join(dataDir, 'vapid-keys.json')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await writeFile(file, JSON.stringify(webPush.generateVAPIDKeys()), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const pair = pairSchema.safeParse(tryParseJson(await readFile(file, 'utf8')))
  if (!pair.success) throw new Error(`${file} is damaged: delete it; every browser then has to enable push again`)
  return pair.data
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type PushSettings = Pick<Settings, 'dataDir' | 'vapidKeys' | 'publicUrl' | 'contactUrl' | 'isProduction' | 'mailFrom'>

/** Placeholder contact if the operator has configured none; RFC 2606 reserves the domain. */
const PLACEHOLDER_SUBJECT = 'mailto:no-reply@tamngan.example'

/** True if the host is a public name. Apple returns 403 for a subject with any other host. */
function isPublicHost(host: string): boolean {
  return (
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host) &&
    !/(?:^|\.)(?:local|localhost|internal|lan|test)$/i.test(host) &&
    !/^[\d.]+$/.test(host)
  )
}

/**
 * Returns the contact for push services (`sub` of RFC 8292): the operator's contact, the public URL, or the mail
 * sender.
 */
export function getVapidSubject({
  contactUrl,
  publicUrl,
  mailFrom,
}: Pick<PushSettings, 'contactUrl' | 'publicUrl' | 'mailFrom'>): string {
  const sender = /(?<![^\s<>@])[^\s<>@]+@[^\s<>@]+/.exec(mailFrom ?? '')?.[0]
  const host = publicUrl === undefined ? undefined : new URL(publicUrl).hostname
  const candidates = [
    contactUrl,
    publicUrl,
    ...(sender === undefined ? [] : [`mailto:${sender}`]),
    ...(host === undefined ? [] : [`mailto:no-reply@${host}`]),
  ]
  return candidates.find((url) => url !== undefined && isSubject(url)) ?? PLACEHOLDER_SUBJECT
}

function isSubject(url: string): boolean {
  if (url.startsWith('https:')) return isPublicHost(new URL(url).hostname)
  const [, host] = /^mailto:[^@?]+@([^@?]+)/.exec(url) ?? []
  return host !== undefined && isPublicHost(host)
}

export async function createPushSendingDependencies(
  settings: PushSettings,
): Promise<PushDependencies & { readonly isLoopbackAllowed: boolean }> {
  const { dataDir, vapidKeys, isProduction } = settings
  const pair = vapidKeys ?? (await readOrCreatePair(dataDir))
  const isLoopbackAllowed = !isProduction
  return {
    keys: { ...pair, subject: getVapidSubject(settings) },
    post: createOutgoingPost({ isLoopbackAllowed }),
    isLoopbackAllowed,
  }
}
