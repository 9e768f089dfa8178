import { randomBytes } from 'node:crypto'
import type { Db } from '#server/platform/engine/db.ts'
import { createTextSeal } from '#server/platform/engine/sealed-text.ts'
import { hideStoredPeople } from './hide-stored.ts'
import { setPersonSecret } from './person-key.ts'
import { readSealedKey, writeSealedKey } from './queries.ts'

const PURPOSE = 'person-ids'

/**
 * Gives this process the key by which ids of people are told apart, and hides what the database still has in clear. The key is made once and lies sealed in
 * the database, so it outlives a change of `AUTH_SECRET` and moves with a backup. Where no secret opens it, a new one takes its place: ids stored before
 * stay apart from each other, and a shop that is loaded again counts as another until all of its projects are.
 */
export async function openPersonIds(db: Db, secrets: readonly [string, ...string[]]): Promise<void> {
  setPersonSecret(await installationKey(db, secrets))
  await hideStoredPeople(db)
}

async function installationKey(db: Db, secrets: readonly [string, ...string[]]): Promise<string> {
  const newest = createTextSeal([secrets[0]], PURPOSE)
  for (;;) {
    const sealed = await readSealedKey(db)
    const key = sealed === undefined ? undefined : createTextSeal(secrets, PURPOSE).open(sealed)
    if (key !== undefined && newest.open(sealed!) === key) return key
    // Another process may be quicker: what is stored then is read again.
    await writeSealedKey(db, sealed, newest.seal(key ?? randomBytes(32).toString('base64')))
  }
}
