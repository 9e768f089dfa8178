import { Pace } from './pace.ts'
import type { RecentProjects } from './recent-projects.ts'
import type { OrganisationRules } from './rules.ts'
import { type Standing, standingUnder } from './standing.ts'

/** Organisations whose standing is kept: 120 kB each. */
const MOST = 200

/** Answers where the present rules put the recent projects, from what was known under the rules before where possible. */
export type KnownStandings = (recent: RecentProjects, rules: OrganisationRules) => Promise<Standing>

export function createKnownStandings(): KnownStandings {
  const known = new Map<number, { recent: RecentProjects; standing: Promise<Standing> }>()
  return async (recent, rules) => {
    const last = known.get(rules.id)
    const from = last?.recent === recent ? await last.standing.catch(() => undefined) : undefined
    const standing = standingUnder(recent, rules, new Pace(), { from })
    known.delete(rules.id)
    known.set(rules.id, { recent, standing })
    if (known.size > MOST) known.delete(known.keys().next().value!)
    return standing
  }
}
