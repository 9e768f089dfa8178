import { z } from 'zod/mini'
import { STAGE_KINDS } from '../account/pursuit-settings.ts'
import { figureScopeSchema } from './figure-scope.ts'
import { whoWinsSchema } from './who-wins.ts'

/**
 * An agency: what it buys, when, from whom and how fast. Answers of `GET /agencies/{code}` and `GET /agencies/{code}/projects`. Money is baht, dates ISO,
 * unknown is null, never 0. Wins, values and discounts mean what they mean in ใครชนะ (contract/market/who-wins.ts) and are counted there.
 *
 * An agency is a department with all its purchasing units. Projects bear names and no codes, so the code of e-GP leads to the name; bodies of one name in
 * several provinces are told apart by where their units lie (contract/catalogue/agency-name.ts).
 *
 * `GET /agencies/{code}/projects` has the search with `rows`, the figure that was clicked, and `page`; it answers as `GET /who-wins/projects`. `total` equals
 * the figure: those of ใครชนะ (but `found` is all projects in the scope), and `calendar_month:3` (won in March), `announced` and `announced:3`, `timed` and
 * `timed:<method>`, `backwards`, `type:…`, `group:<id>` (empty: without a group), `unit:…`, `matches`, `open`, `pursuits` and `pursuits:won`.
 */
const money = z.nullable(z.number())
const count = z.number()

/** Days of `n` projects from the announcement to the first signature; null of fewer than five. */
const daysSchema = z.object({ n: count, lower: money, median: money, upper: money })
export type AgencyDays = z.output<typeof daysSchema>

/** Projects, and what the known ones of them cost together. */
const slice = { n: count, value: money }

/** Twelve figures, from January on. */
const monthsSchema = z.object({ n: count, months: z.array(count) })

export const agencySchema = z.object({
  agency: z.object({
    /** Null where the directory has none for the name, or several. */
    code: z.nullable(z.string()),
    name: z.string(),
    /** What figures and addresses call it: the name, with the province where the name is ambiguous (contract/catalogue/agency-name.ts). */
    text: z.string(),
    /** Where it lies, of a local body whose name stands in several provinces; null for all others. */
    province: z.nullable(z.string()),
    ministry: z.nullable(z.string()),
    /** Every body and code of this name, this one among them; `code` is null where the directory of agencies does not know the body. */
    same_name: z.array(z.object({ code: z.nullable(z.string()), text: z.string(), province: z.nullable(z.string()) })),
  }),
  /** Fiscal years of its projects, newest first, whatever the scope. */
  years: z.array(count),
  scope: figureScopeSchema,
  /** Projects in the scope; of these decided; of these won by companies. */
  projects: count,
  decided: count,
  won: count,
  figures: whoWinsSchema.shape.figures,
  companies: whoWinsSchema.shape.companies,
  by_year: whoWinsSchema.shape.years,
  by_method: whoWinsSchema.shape.methods,
  by_type: z.array(z.object({ method_type: z.string(), ...slice })),
  /** The organisation's projects in the scope by group of its watch words, decided or not; null: words without a group. One may stand in several. */
  by_group: z.array(z.object({ group: z.nullable(z.object({ id: count, name: z.string() })), ...slice })),
  /** Purchasing units of most value, at most fifty, whatever `unit` says. */
  units: z.object({ total: count, results: z.array(z.object({ unit: z.string(), ...slice })) }),
  /** By the month of the invitation, and by the month in which companies won. */
  announced: monthsSchema,
  awarded: monthsSchema,
  speed: z.object({
    ...daysSchema.shape,
    /** Signed before they were announced: in no figure of days. */
    backwards: count,
    by_method: z.array(z.object({ method: z.string(), ...daysSchema.shape })),
  }),
  /** The organisation and this agency over all years, whatever the universe. */
  ours: z.object({
    /** Projects of the report, delivered ones too. */
    matches: count,
    /** Those of them that still take bids. */
    open: count,
    /** The open ones that close next. */
    next: z.array(
      z.object({
        project_id: z.string(),
        name: z.string(),
        submission_end_date: z.nullable(z.string()),
        budget: money,
      }),
    ),
    /** Pursuits by what their stage means; null in the demo, which has none. */
    pursuits: z.nullable(z.array(z.object({ kind: z.enum(STAGE_KINDS.map(({ code }) => code)), n: count }))),
  }),
  /** The body of the annual budget that bears its name. */
  budget: z.nullable(z.object({ ministry: z.string(), unit: z.string() })),
  ignored_parameters: z.array(z.string()),
})
export type Agency = z.output<typeof agencySchema>

/** Open matches that an answer names. */
export const MOST_NEXT = 5
/** Purchasing units of an answer. */
export const MOST_UNITS = 50
