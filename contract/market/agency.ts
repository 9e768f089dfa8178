import { z } from 'zod/mini'
import { PURSUIT_STAGE_KINDS } from '../account/pursuit-settings.ts'
import { statisticsScopeSchema } from './statistics-scope.ts'
import { whoWinsSchema } from './who-wins.ts'

/**
 * What an agency buys, when, from whom and how fast. Responses of `GET /agencies/{code}` and `GET
 * /agencies/{code}/projects`. Money is baht, dates ISO, unknown is null, never 0. Wins, values and discounts are
 * defined and computed as in ใครชนะ (contract/market/who-wins.ts).
 *
 * An agency is a department with all its purchasing units. Projects contain agency names but no codes, so an e-GP code
 * is resolved to a name; bodies with the same name in several provinces are distinguished by the province of their
 * units (contract/catalogue/agency-name.ts).
 *
 * `GET /agencies/{code}/projects` takes the search with `rows` (the selected figure) and `page`, and responds like `GET
 * /who-wins/projects`. `total` equals the figure. `rows` is a value of ใครชนะ (`found` is all projects in the scope),
 * or `calendar_month:3` (won in March), `announced` and `announced:3`, `timed` and `timed:<method>`, `backwards`,
 * `type:…`, `group:<id>` (empty: without a group), `unit:…`, `matches`, `open`, `pursuits` and `pursuits:won`.
 */
const money = z.nullable(z.number())
const count = z.number()

/** Days from announcement to first signature over `n` projects; null for fewer than five. */
const daysSchema = z.object({ n: count, lower: money, median: money, upper: money })
export type AgencyDaysToSignatureStatistics = z.output<typeof daysSchema>

const slice = { n: count, value: money }

const monthsSchema = z.object({ n: count, months: z.array(count) })

export const agencySchema = z.object({
  agency: z.object({
    /** e-GP code of the agency; null when the directory lists no code, or several codes, for the name. */
    code: z.nullable(z.string()),
    name: z.string(),
    /**
     * Form used for display and in URLs: the name, with the province if the name is ambiguous
     * (contract/catalogue/agency-name.ts).
     */
    text: z.string(),
    province: z.nullable(z.string()),
    ministry: z.nullable(z.string()),
    /**
     * All agencies and codes with this name, including this one; `code` is null for agencies missing from the agency
     * directory.
     */
    same_name: z.array(z.object({ code: z.nullable(z.string()), text: z.string(), province: z.nullable(z.string()) })),
  }),
  years: z.array(count),
  scope: statisticsScopeSchema,
  projects: count,
  decided: count,
  won: count,
  figures: whoWinsSchema.shape.figures,
  companies: whoWinsSchema.shape.companies,
  by_year: whoWinsSchema.shape.years,
  by_method: whoWinsSchema.shape.methods,
  by_type: z.array(z.object({ method_type: z.string(), ...slice })),
  /**
   * The organisation's projects in the scope by watch-word group, whether decided or not; a null group collects words
   * without a group. A project can be in several groups.
   */
  by_group: z.array(z.object({ group: z.nullable(z.object({ id: count, name: z.string() })), ...slice })),
  /** The 50 purchasing units with the highest value, regardless of the `unit` parameter. */
  units: z.object({ total: count, results: z.array(z.object({ unit: z.string(), ...slice })) }),
  /** `announced` counts by month of the invitation, `awarded` by month of a win by a company. */
  announced: monthsSchema,
  awarded: monthsSchema,
  speed: z.object({
    ...daysSchema.shape,
    /** Number of contracts signed before the announcement, which are excluded from all day counts. */
    backwards: count,
    by_method: z.array(z.object({ method: z.string(), ...daysSchema.shape })),
  }),
  /**
   * The organisation's matches (including delivered projects) and pursuits at this agency, over all years and
   * regardless of `scope`.
   */
  ours: z.object({
    matches: count,
    open: count,
    next: z.array(
      z.object({
        project_id: z.string(),
        name: z.string(),
        submission_end_date: z.nullable(z.string()),
        budget: money,
      }),
    ),
    pursuits: z.nullable(z.array(z.object({ kind: z.enum(PURSUIT_STAGE_KINDS.map(({ code }) => code)), n: count }))),
  }),
  budget: z.nullable(z.object({ ministry: z.string(), unit: z.string() })),
  ignored_parameters: z.array(z.string()),
})
export type Agency = z.output<typeof agencySchema>

export const MAX_AGENCY_UPCOMING_PROJECTS = 5
export const MAX_AGENCY_UNITS = 50
