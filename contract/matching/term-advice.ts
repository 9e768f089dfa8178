import { z } from 'zod/mini'

/**
 * Terms that bring a user nothing but what the user hides (decision 0123): found once a week from stars, hides and exclusions, each told once, and
 * changed by nobody but the person.
 */

/** Days back from which projects of the report count. */
export const ADVICE_DAYS = 180
/** Most terms of one week, the surest. */
export const ADVICE_A_WEEK = 3

const target = {
  keyword_id: z.int(),
  facet: z.int().check(z.gte(0), z.lte(20)),
  term: z.string().check(z.minLength(1), z.maxLength(200)),
}

const termAdviceSchema = z.object({
  ...target,
  /** The keyword that the term belongs to. */
  word: z.string(),
  /** Titles that this term alone brought since `ADVICE_DAYS`, those included that an exclusion keeps out. */
  shown: z.number(),
  /** Of those, hidden by the user. */
  hidden: z.number(),
  /** Of those, kept out by the team's exclusions. */
  excluded: z.number(),
  /** Some of the hidden ones, newest first. */
  titles: z.array(z.object({ project_id: z.string(), name: z.string() })),
})
export type TermAdvice = z.output<typeof termAdviceSchema>

/** `GET /organisations/me/term-advice`: what the user was told and has neither acted on nor refused, the surest first. */
export const termAdviceListSchema = z.object({ advice: z.array(termAdviceSchema) })
export type TermAdviceList = z.output<typeof termAdviceListSchema>

/** `PUT /organisations/me/term-advice`: never again, or takes that back. Says the wanted end state. */
export const refuseAdviceSchema = z.object({ ...target, refused: z.boolean() })
export type RefuseAdvice = z.output<typeof refuseAdviceSchema>
