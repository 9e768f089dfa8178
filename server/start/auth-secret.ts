import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from './settings.ts'

/**
 * Returns the secret of this installation, created once in the data folder so that sessions survive a restart. Not for
 * production.
 */
export async function readOrCreateAuthSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'auth-secret')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await writeFile(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length < 32) throw new Error(`${file} is damaged: delete it; every user then has to log in again`)
  return secret
}

export async function resolveAuthSecrets({ authSecrets, dataDir }: Settings): Promise<[string, ...string[]]> {
  const [first, ...older] = authSecrets
  return first === undefined ? [await readOrCreateAuthSecret(dataDir)] : [first, ...older]
}
