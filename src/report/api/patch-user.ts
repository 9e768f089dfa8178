import type { UserPatch } from '#contract/report/user-patch.ts'
import { publishChangeNews } from '#src/api/change-news.ts'
import type { ChangeMessage } from '#src/api/optimistic.ts'
import { currentSession, ownerOf } from '#src/lib/session-store.ts'

type Patches = typeof import('./user-patches.ts')
// What patches mean is not needed to draw a screen: it comes when there is time.
let patches: Patches | undefined
const loadPatches = async () => {
  patches = await import('./user-patches.ts')
  return patches
}

/** Loads what patches mean, so that a change stands within the press that makes it. Never rejects. */
export async function preloadUserPatches(): Promise<void> {
  await loadPatches().catch(() => undefined)
}

/**
 * Changes the signed-in user: shown at once, sent as an action, taken back alone when the server refuses. What is changed before its code is there is
 * changed when it comes, in the order of the calls. Resolves to whether the server has confirmed it; never rejects.
 */
export function patchUser(patch: UserPatch, message: ChangeMessage): Promise<boolean> {
  return patches ? patches.sendUserPatch(patch, message) : patchWhenLoaded(patch, message)
}

async function patchWhenLoaded(patch: UserPatch, message: ChangeMessage): Promise<boolean> {
  const owner = ownerOf(currentSession())
  try {
    const { sendUserPatch } = await loadPatches()
    // The change of one person is never the next one's.
    return ownerOf(currentSession()) === owner && (await sendUserPatch(patch, message))
  } catch (error) {
    const retry = () => void patchUser(patch, message)
    publishChangeNews({ kind: 'failed', change: patch, text: message.failed, error, retry })
    return false
  }
}
