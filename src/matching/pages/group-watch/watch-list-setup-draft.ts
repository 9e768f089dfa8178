import { z } from 'zod/mini'
import type { Organisation } from '#contract/account/organisation.ts'
import { newKeywordTrainingSchema } from '#contract/matching/keyword-training.ts'
import { readStoredJson, writeStoredJson } from '#src/lib/web-storage.ts'
import { firstListSelectionSchema } from './first-list/first-list-selection.ts'

/** Schema of the unfinished set-up, stored on the device so that a reload or a closed tab loses nothing. */
const choiceSchema = z.object({
  word: z.string(),
  on: z.boolean(),
  /** True if the user typed the word: deselecting removes it instead of offering it again. */
  own: z.boolean(),
  lesson: z.optional(newKeywordTrainingSchema),
})
export type SetupKeywordChoice = z.output<typeof choiceSchema>

const groupSchema = z.object({
  /** Business subtype that the words belong to; 0 for none. */
  id: z.number(),
  name: z.string(),
  include: z.array(choiceSchema),
  ai: z.array(choiceSchema),
  exclude: z.array(z.string()),
})
export type SetupKeywordGroup = z.output<typeof groupSchema>

const draftSchema = z.object({
  reached: z.number(),
  types: z.array(z.number()),
  groups: z.array(groupSchema),
  excludes: z.array(z.string()),
  departments: z.array(z.string()),
  company: z.optional(z.string()),
  firstList: z.optional(firstListSelectionSchema),
})
export type WatchListSetupDraft = z.output<typeof draftSchema>

export type WatchListSetupStepProps = {
  draft: WatchListSetupDraft
  organisation: Organisation
  onChange: (draft: WatchListSetupDraft) => void
}

export const CUSTOM_SETUP_KEYWORD_GROUP: SetupKeywordGroup = { id: 0, name: '', include: [], ai: [], exclude: [] }

export const createWatchListSetupDraft = (types: readonly number[]): WatchListSetupDraft => ({
  reached: 0,
  types: [...types],
  groups: [CUSTOM_SETUP_KEYWORD_GROUP],
  excludes: [],
  departments: [],
})

const VALID_STEPS: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5])

const keyOf = (organisationCode: string) => `tamngan.set-up.${organisationCode}`

export function loadWatchListSetupDraft(organisationCode: string): WatchListSetupDraft | undefined {
  const parsed = z.safeParse(draftSchema, readStoredJson(keyOf(organisationCode)))
  // The step is checked here, because zod's number bounds would add to the first screen's bundle.
  return parsed.success && VALID_STEPS.has(parsed.data.reached) ? parsed.data : undefined
}

/** Stores the draft, which lasts only as long as the page if storage is blocked or full; undefined removes it. */
export const saveWatchListSetupDraft = (organisationCode: string, draft: WatchListSetupDraft | undefined): void =>
  writeStoredJson(keyOf(organisationCode), draft)
