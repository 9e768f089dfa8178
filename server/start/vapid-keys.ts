import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import webPush from 'web-push'
import { z } from 'zod/mini'
import type { PushParts } from '#server/features/push/send-push.ts'
import { createPost } from '#server/outgoing/post.ts'
import type { Settings } from './settings.ts'

const pairSchema = z.object({ publicKey: z.string(), privateKey: z.string() })
type Pair = z.output<typeof pairSchema>

/** The pair of this installation: made once and kept in the data folder. Browsers subscribe to it: with another pair they are told nothing until they subscribe anew. */
async function storedPair(dataDir: string): Promise<Pair> {
  const file = path.join(dataDir, 'vapid-keys.json')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await writeFile(file, JSON.stringify(webPush.generateVAPIDKeys()), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const pair = pairSchema.safeParse(await readJson(file))
  if (!pair.success) throw new Error(`${file} is damaged: delete it, and every browser has to switch push on again`)
  return pair.data
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

type PushSettings = Pick<Settings, 'dataDir' | 'vapidKeys' | 'publicUrl' | 'contactUrl' | 'isProduction'>

/** What web push needs: the pair of the settings, or else the kept one; whom push services write to; and the guarded way out. */
export async function pushPartsOf(
  settings: PushSettings,
): Promise<PushParts & { readonly isLoopbackAllowed: boolean }> {
  const { dataDir, vapidKeys, publicUrl = 'http://localhost', contactUrl, isProduction } = settings
  const pair = vapidKeys ?? (await storedPair(dataDir))
  const written = [contactUrl, publicUrl].find((url) => /^(?:mailto|https):/.test(url ?? ''))
  const isLoopbackAllowed = !isProduction
  return {
    keys: { ...pair, subject: written ?? `mailto:no-reply@${new URL(publicUrl).hostname}` },
    post: createPost({ isLoopbackAllowed }),
    isLoopbackAllowed,
  }
}
