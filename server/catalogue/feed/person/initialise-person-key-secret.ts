import { randomBytes } from 'node:crypto'
import type { Db } from '#server/platform/engine/db.ts'
import { createTextCipher } from '#server/platform/engine/text-cipher.ts'
import { setPersonKeySecret } from './person-key.ts'
import { readSealedPersonKeySecret, writeSealedPersonKeySecret } from './queries.ts'
import { redactStoredPersonalData } from './redact-stored-personal-data.ts'

const PURPOSE = 'person-ids'

/**
 * Loads the key that pseudonymises ids of people and hides ids still stored in clear. The key is generated once and
 * stored sealed in the database, so it survives a change of `AUTH_SECRET` and moves with backups. If no secret opens
 * it, a new key replaces it: ids stored earlier no longer match new ones, and a shop counts twice until all of its
 * projects are reloaded.
 */
export async function initialisePersonKeySecret(db: Db, secrets: readonly [string, ...string[]]): Promise<void> {
  setPersonKeySecret(await installationKey(db, secrets))
  await redactStoredPersonalData(db)
}

async function installationKey(db: Db, secrets: readonly [string, ...string[]]): Promise<string> {
  const newest = createTextCipher([secrets[0]], PURPOSE)
  for (;;) {
    const sealed = await readSealedPersonKeySecret(db)
    const key = sealed === undefined ? undefined : createTextCipher(secrets, PURPOSE).open(sealed)
    if (key !== undefined && newest.open(sealed!) === key) return key
    // Another process may have written first, so read the stored value again.
    await writeSealedPersonKeySecret(db, sealed, newest.seal(key ?? randomBytes(32).toString('base64')))
  }
}
