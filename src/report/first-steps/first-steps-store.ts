import { z } from 'zod/mini'
import { createExternalStore } from '#src/lib/store.ts'
import { readStoredJson, writeStoredJson } from '#src/lib/web-storage.ts'

/** Progress of the strip after the set-up, stored on the device. Without an entry there is no strip. */
const progressSchema = z.object({ user: z.string(), seen: z.array(z.string()) })
type FirstStepsProgress = z.output<typeof progressSchema>

export const FIRST_STEPS_PROJECT_COUNT = 3
const KEY = 'tamngan.first-steps'

function load(): FirstStepsProgress | undefined {
  const parsed = z.safeParse(progressSchema, readStoredJson(KEY))
  return parsed.success ? parsed.data : undefined
}

export const firstStepsStore = createExternalStore<FirstStepsProgress | undefined>(load())

function save(progress: FirstStepsProgress | undefined): void {
  firstStepsStore.set(progress)
  writeStoredJson(KEY, progress)
}

export const startFirstSteps = (user: string): void => save({ user, seen: [] })

export const dismissFirstSteps = (): void => save(undefined)

export function recordSeenProject(id: string): void {
  const progress = firstStepsStore.get()
  if (!progress || progress.seen.includes(id) || progress.seen.length >= FIRST_STEPS_PROJECT_COUNT) return
  save({ ...progress, seen: [...progress.seen, id] })
}
