import type { UserPatch } from '#contract/user/user-patch.ts'

/** What is said about a change, in Thai. */
export type PatchWords = {
  /** Begins the message of a failure, e.g. `ติดดาวไม่สำเร็จ`; the reason follows. */
  readonly failed: string
  /** Said when the change is shown, with ten seconds to take it back; nothing is said without it. */
  readonly done?: string | undefined
}

/** What became of a change. `change` is the same object in all news of one change. */
export type PatchNews = { readonly change: object; readonly text: string } & (
  | { readonly kind: 'done'; readonly undo: (() => void) | undefined }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
)

let tell: (news: PatchNews) => void = () => undefined
/** Registers who tells the user what became of a change: the API floor draws nothing. */
export function whenPatchHasNews(listener: (news: PatchNews) => void): void {
  tell = listener
}
export function tellPatchNews(news: PatchNews): void {
  tell(news)
}

// Not needed to draw the report: arrives while the user reads it.
let runner: typeof import('./run-user-patch.ts') | undefined
const load = async () => {
  runner ??= await import('./run-user-patch.ts')
  return runner
}

/** Loads the code of changes ahead, once the screen is drawn. */
export function preloadUserPatches(): void {
  load().catch(() => undefined)
}

/** Resolves when changes made before it stand in `useUser()`, or when the code for that cannot be had; never rejects. */
export function whenPatchesCanShow(): Promise<void> {
  return load().then(
    () => undefined,
    () => undefined,
  )
}

/** Whether a change stands in `useUser()` as soon as `patchUser` returns. */
export function canShowPatchesAtOnce(): boolean {
  return runner !== undefined
}

/**
 * Changes the signed-in user: shown at once, sent as an action, taken back alone when the server refuses. Resolves to whether the
 * server has confirmed it; never rejects.
 */
export function patchUser(patch: UserPatch, words: PatchWords): Promise<boolean> {
  // Within the click itself: even a module that is there is only handed out a task later, in which a ticked box would be drawn
  // without its tick, and the screen drawn twice.
  return runner ? runner.runUserPatch(patch, words) : loadAndPatch(patch, words)
}

async function loadAndPatch(patch: UserPatch, words: PatchWords): Promise<boolean> {
  try {
    const { runUserPatch } = await load()
    return await runUserPatch(patch, words)
  } catch (error) {
    // The chunk did not come: offline before the first change.
    tell({ kind: 'failed', change: {}, text: words.failed, error, retry: () => void patchUser(patch, words) })
    return false
  }
}
