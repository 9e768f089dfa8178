import { replaceEqualDeep } from '@tanstack/react-query'
import { useMemo, useState, useSyncExternalStore } from 'react'
import type { User } from '#contract/user/user.ts'
import { watchedValue } from '#src/lib/watched-value.ts'

/**
 * What the user has changed and the server has not confirmed yet, laid over the cached answer at every reading. The cache itself
 * stays the server's word, so a refetch in between overwrites nothing, and what fails is taken back by leaving it out.
 */
export type UserOverlay = (user: User) => User

const overlay = watchedValue<UserOverlay | undefined>(undefined)

export function setUserOverlay(next: UserOverlay | undefined): void {
  overlay.set(next)
}

/** The user as the screen shows it. */
export function withOverlay(user: User): User {
  return overlay.get()?.(user) ?? user
}

export function useWithOverlay(user: User): User {
  const shown = useSyncExternalStore(overlay.watch, overlay.get)
  const next = useMemo(() => (shown ? shown(user) : user), [shown, user])
  // A change that is confirmed moves from the overlay into the answer: what is shown stays the same object, part by part, so
  // that nothing is drawn again for it.
  const [last, setLast] = useState(next)
  const kept = useMemo(() => replaceEqualDeep(last, next), [last, next])
  if (kept !== last) setLast(kept)
  return kept
}
