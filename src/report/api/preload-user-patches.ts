import type { UserPatch } from '#contract/report/user-patch.ts'
import { publishChangeNotice } from '#src/api/change-notice.ts'
import type { ChangeResultMessages } from '#src/api/optimistic-changes.ts'
import { getCurrentSession, getSessionOwner } from '#src/lib/session-store.ts'

type UserPatchesModule = typeof import('./user-patches.ts')
let patches: UserPatchesModule | undefined
const loadPatches = async () => {
  patches = await import('./user-patches.ts')
  return patches
}

/** Preloads the code of `patchUser`, so that a later change is applied within the click. Never rejects. */
export async function preloadUserPatches(): Promise<void> {
  await loadPatches().catch(() => undefined)
}

/**
 * Applies a patch to the signed-in user optimistically; if the server refuses, rolls back only this change. Changes
 * made before the code has loaded are applied in call order afterwards. Resolves to true if the server confirmed the
 * change; never rejects.
 */
export function patchUser(patch: UserPatch, message: ChangeResultMessages): Promise<boolean> {
  return patches ? patches.sendUserPatch(patch, message) : patchWhenLoaded(patch, message)
}

async function patchWhenLoaded(patch: UserPatch, message: ChangeResultMessages): Promise<boolean> {
  const owner = getSessionOwner(getCurrentSession())
  try {
    const { sendUserPatch } = await loadPatches()
    return getSessionOwner(getCurrentSession()) === owner && (await sendUserPatch(patch, message))
  } catch (error) {
    const retry = () => void patchUser(patch, message)
    publishChangeNotice({ kind: 'failed', change: patch, text: message.failed, error, retry })
    return false
  }
}
