import { z } from 'zod/mini'
import type { Organisation } from '#contract/account/organisation.ts'
import { lessonOfNewWordSchema } from '#contract/matching/lesson.ts'

/** What has been chosen so far, kept on the device until the set-up is finished: a reload or a closed tab loses nothing. */
const choiceSchema = z.object({
  word: z.string(),
  /** Suggested words that are not taken stay as offers. */
  on: z.boolean(),
  /** Typed by the person: gone when it is taken out. */
  own: z.boolean(),
  /** What was taught of a word by meaning. */
  lesson: z.optional(lessonOfNewWordSchema),
})
export type Choice = z.output<typeof choiceSchema>

const groupSchema = z.object({
  /** The business subtype whose words these are; 0 for words that belong to none. */
  id: z.number(),
  name: z.string(),
  include: z.array(choiceSchema),
  ai: z.array(choiceSchema),
  /** False friends of the words, as the suggestions know them. */
  exclude: z.array(z.string()),
})
export type WordGroup = z.output<typeof groupSchema>

const draftSchema = z.object({
  /** The furthest step reached. */
  reached: z.number(),
  types: z.array(z.number()),
  groups: z.array(groupSchema),
  /** Words to leave out that were ticked or typed. */
  excludes: z.array(z.string()),
  departments: z.array(z.string()),
})
export type SetUpDraft = z.output<typeof draftSchema>

/** What each step of the set-up gets. */
export type StepProps = {
  draft: SetUpDraft
  organisation: Organisation
  onChange: (draft: SetUpDraft) => void
}

export const OWN_GROUP: WordGroup = { id: 0, name: '', include: [], ai: [], exclude: [] }

/** A set-up that begins. `types`: business types and subtypes that the registration named. */
export const newDraft = (types: readonly number[]): SetUpDraft => ({
  reached: 1,
  types: [...types],
  groups: [OWN_GROUP],
  excludes: [],
  departments: [],
})

const STEPS_OF_SET_UP: ReadonlySet<number> = new Set([1, 2, 3, 4, 5])

const keyOf = (organisationCode: string) => `tamngan.set-up.${organisationCode}`

/** Reads the draft that this device keeps for an organisation; undefined when there is none, or none that can be read. */
export function readDraft(organisationCode: string): SetUpDraft | undefined {
  try {
    const text = localStorage.getItem(keyOf(organisationCode))
    const parsed = text === null ? undefined : z.safeParse(draftSchema, JSON.parse(text))
    // Checked here: numbers with bounds are a part of zod that the first screen would have to load.
    return parsed?.success && STEPS_OF_SET_UP.has(parsed.data.reached) ? parsed.data : undefined
  } catch {
    return undefined
  }
}

export function writeDraft(organisationCode: string, draft: SetUpDraft): void {
  try {
    localStorage.setItem(keyOf(organisationCode), JSON.stringify(draft))
  } catch {
    // Storage is refused or full: the set-up then lasts as long as the page.
  }
}

export function clearDraft(organisationCode: string): void {
  try {
    localStorage.removeItem(keyOf(organisationCode))
  } catch {
    // Nothing is stored where storage is refused.
  }
}
